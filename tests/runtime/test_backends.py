"""Work on clusters: real ones on this machine, with workers that are killed; the answers are those of one process."""

from __future__ import annotations

import importlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import gecval.sample
from gecval import InputError, validate
from gecval.results.checkpoint import Checkpoint, Chunks, compute_chunks
from gecval.runtime.backends import _check_versions, _fetch_and_call, check_backend, connect, spread
from gecval.runtime.run import Run
from gecval.studies.reproduce.result import PaperTable
from gecval.studies.reproduce.study import PaperParts
from small_studies import CHUNKS, STUDIES
from small_studies import deadly as deadly_once

KILLED = (2, 5)


def square(number: int) -> int:
    return number * number


def deadly(folder: str, number: int) -> tuple[int, int]:
    """Two items kill the worker that does them, the first time."""
    marker = Path(folder, str(number))
    if number in KILLED and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number, os.getpid()


class Heavy:
    """Work that notes in a folder which process unpacks it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __setstate__(self, state: dict[str, str]) -> None:
        self.__dict__.update(state)
        with Path(self.folder, "unpacked").open("a") as file:
            file.write(f"{os.getpid()}\n")

    def __call__(self, number: int) -> int:
        Path(self.folder, f"worker-{os.getpid()}").touch()
        return number + 1


def check_sent_once(folder: Path, backend: str) -> None:
    """No process unpacks the work twice, though each does several items."""
    assert list(spread(Heavy(str(folder)), range(12), backend=backend)) == list(range(1, 13))
    unpacked = (folder / "unpacked").read_text().split()
    workers = {path.name.removeprefix("worker-") for path in folder.glob("worker-*")}
    assert workers <= set(unpacked)
    assert all(unpacked.count(worker) == 1 for worker in workers)
    assert str(os.getpid()) not in workers


def fatal(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def refusing(number: int) -> int:
    raise InputError(f"{number} is bad", parameter="metrics")


@pytest.fixture(scope="module")
def cluster():
    """Four worker processes of Dask."""
    distributed = pytest.importorskip("distributed")
    made = distributed.LocalCluster(
        n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with made:
        yield made.scheduler_address.replace("tcp://", "dask://")


def test_dask(cluster: str, tmp_path: Path) -> None:
    answers = list(spread(partial(deadly, str(tmp_path)), range(12), backend=cluster))
    assert [number for number, _ in answers] == [number * number for number in range(12)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2", "5"]  # both workers were killed
    assert os.getpid() not in {pid for _, pid in answers}
    with pytest.raises(InputError, match=r"^0 is bad$"):
        list(spread(refusing, [0], backend=cluster))


def test_dask_gets_the_work_once(cluster: str, tmp_path: Path) -> None:
    check_sent_once(tmp_path, cluster)


def check_lacking_module(backend: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function of the user's own, which the workers cannot import."""
    (folder / "only_here.py").write_text("def double(number):\n    return 2 * number\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "only_here", raising=False)
    double = importlib.import_module("only_here").double
    with pytest.raises(InputError, match=r"^a worker fails: .*No module named 'only_here'") as refusal:
        list(spread(double, [1], backend=backend))
    assert refusal.value.parameters == ("backend",)


def test_a_worker_of_dask_that_lacks_a_module(cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask itself would wait for it without an end."""
    check_lacking_module(cluster, tmp_path, monkeypatch)


def test_a_process_that_lacks_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(spread(square, [1, 2], backend="processes:2")) == [1, 4]  # the workers started with the path of before
    check_lacking_module("processes:2", tmp_path, monkeypatch)


class Locked:
    """What cannot be sent."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __call__(self, number: int) -> int:
        return number


@pytest.mark.parametrize("kind", ["processes:2", "dask"])
def test_what_cannot_be_sent(kind: str, cluster: str) -> None:
    with pytest.raises(InputError, match=r"^this cannot be sent to workers: cannot pickle '_thread\.lock' object$"):
        list(spread(Locked(), [1], backend=cluster if kind == "dask" else kind))


def test_a_lost_process(tmp_path: Path) -> None:
    answers = list(spread(partial(deadly, str(tmp_path)), range(4), backend="processes:2"))
    assert [number for number, _ in answers] == [0, 1, 4, 9]
    assert [path.name for path in tmp_path.iterdir()] == ["2"]


def test_a_chunk_that_always_kills(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gecval.runtime.backends.FAILURES", 1)
    with pytest.raises(InputError, match="workers were lost again and again") as refusal:
        list(spread(fatal, [1, 2], backend="processes:2"))
    assert refusal.value.parameters == ("backend",)


def test_processes_get_the_work_once(tmp_path: Path) -> None:
    check_sent_once(tmp_path, "processes:2")


@pytest.mark.parametrize("name", STUDIES)
def test_studies_are_the_same_everywhere(name: str, cluster: str, tmp_path: Path) -> None:
    """On Dask; then in processes, from what Dask left behind, half of which is lost."""
    study, kept = STUDIES[name], tmp_path / "kept"
    here = study().to_json()
    assert study(run=Run(backend=cluster), checkpoint=kept).to_json() == here
    header, *chunks = kept.read_text().splitlines()
    assert len(chunks) == CHUNKS[name]
    kept.write_text("\n".join([header, *chunks[1::2]]) + "\n")
    assert study(run=Run(backend="processes:2"), checkpoint=kept).to_json() == here
    again = [line for line in kept.read_text().splitlines()[1:] if "seconds" not in line]
    assert sorted(again) == sorted(line for line in chunks if "seconds" not in line)


@pytest.mark.parametrize("name", ["maege", "human", "reference coverage"])
def test_a_study_that_loses_workers(name: str, cluster: str, tmp_path: Path) -> None:
    study, metrics = STUDIES[name], deadly_once(tmp_path)
    here = study(metrics).to_json()
    assert list(tmp_path.iterdir()) == []
    assert study(metrics, run=Run(backend=cluster)).to_json() == here
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second"]  # both workers were killed


@pytest.mark.usefixtures("data")
def test_parts_of_a_paper(cluster: str, tmp_path: Path) -> None:
    work, parts = PaperParts(paper="coverage"), [("changes",), ("perfect simplification",)]
    form = Chunks(dict.fromkeys(work.names, tuple[PaperTable, ...]))
    kept = Checkpoint(tmp_path / "kept", work.signature, form)
    here = list(compute_chunks(work, parts[:1], run=Run(backend=None)))
    assert list(compute_chunks(work, parts[:1], run=Run(backend=cluster), finished=kept)) == here
    again = Checkpoint(tmp_path / "kept", work.signature, form)
    assert [repr(table) for table in again.get(("changes",))] == [repr(table) for table in here[0]]


@pytest.fixture(scope="module")
def ray():
    """Ray with four worker processes, and a small store."""
    module = pytest.importorskip("ray")
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")  # a busy machine takes longer than the usual 30 s
    with pytest.MonkeyPatch.context() as environment:  # an empty part would be the folder of whoever runs Python next
        environment.setenv(
            "PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep if "PYTHONPATH" in os.environ else None
        )
        module.init(
            address="local",
            num_cpus=4,
            include_dashboard=False,
            log_to_driver=False,
            configure_logging=False,
            object_store_memory=100 * 2**20,
        )
        yield module
        module.shutdown()


@pytest.mark.filterwarnings("ignore")
def test_ray(ray: Any, tmp_path: Path) -> None:
    answers = list(spread(partial(deadly, str(tmp_path)), range(7), backend="ray://local"))
    assert [number for number, _ in answers] == [number * number for number in range(7)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2", "5"]
    with pytest.raises(InputError, match=r"0 is bad"):
        list(spread(refusing, [0], backend="ray://local"))
    assert ray.is_initialized()  # it was not ours to end


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["maege", "validate"])
def test_studies_on_ray(name: str, ray: Any, tmp_path: Path) -> None:
    assert STUDIES[name](run=Run(backend="ray://local")).to_json() == STUDIES[name]().to_json()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["maege", "reference coverage"])
def test_a_study_that_loses_workers_of_ray(name: str, ray: Any, tmp_path: Path) -> None:
    study, metrics = STUDIES[name], deadly_once(tmp_path)
    assert study(metrics, run=Run(backend="ray://local")).to_json() == study(metrics).to_json()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second"]


@pytest.mark.filterwarnings("ignore")
def test_ray_gets_the_work_once(ray: Any, tmp_path: Path) -> None:
    check_sent_once(tmp_path, "ray://local")


@pytest.mark.filterwarnings("ignore")
def test_a_worker_of_ray_that_lacks_a_module(ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_lacking_module("ray://local", tmp_path, monkeypatch)


@pytest.fixture
def ray_head(tmp_path: Path) -> Iterator[str]:
    """The address of a Ray cluster that another program started. Its files need short names."""
    pytest.importorskip("ray")
    folder = tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True)  # workers still end
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_TMPDIR": folder.name}
    environment["RAY_raylet_start_wait_time_s"] = "300"
    settings = "--port=0 --num-cpus=2 --include-dashboard=false --disable-usage-stats --object-store-memory=100000000"
    command = f"start --head --block --node-ip-address=127.0.0.1 --ray-client-server-port={port} {settings}".split()
    with (tmp_path / "head").open("wb") as said:
        head = subprocess.Popen(
            [sys.executable, "-m", "ray.scripts.scripts", *command], stdout=said, stderr=said, env=environment
        )
    try:
        yield f"127.0.0.1:{port}"
    finally:
        head.terminate()
        head.wait()
        folder.cleanup()


def test_a_study_on_a_cluster_of_ray_as_typed(ray_head: str, tmp_path: Path) -> None:
    """Another process asks: this one may be part of a cluster already. The head takes its time to start."""
    command = [sys.executable, "-m", "gecval", "maege", "learners.m2", "-r", "rewriter.txt", "-m", "ld", "-m", "gleu"]
    command += ["--replicates", "3", "--format", "json", "--quiet", "-o"]
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled"}
    sample = Path(gecval.sample.__file__).parent
    for attempt in range(8):
        asked = subprocess.run(
            [*command, str(tmp_path / "ray.json"), "--backend", f"ray://{ray_head}"],
            cwd=sample,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if asked.returncode == 0:
            break
        assert asked.stderr.startswith(f"gecval: no Ray cluster answers at {ray_head}: "), attempt
    assert asked.returncode == 0
    assert [line for line in asked.stderr.splitlines() if not line.startswith("gecval: note: ")] == []
    subprocess.run([*command, str(tmp_path / "here.json")], cwd=sample, check=True)
    assert (tmp_path / "ray.json").read_bytes() == (tmp_path / "here.json").read_bytes()


class FakeRay:
    """Notes what is asked of it."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def is_initialized(self) -> bool:
        return [name for name, _ in self.calls[-1:]] == ["init"]

    def init(self, **settings: Any) -> None:
        self.calls.append(("init", settings))
        if settings.get("address") == "ray://lost:1":
            raise Exception("it timed out\nsee the logs")

    def shutdown(self) -> None:
        self.calls.append(("shutdown", {}))


def test_a_cluster_of_ones_own_is_started_once_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeRay()
    monkeypatch.setattr("gecval.runtime.backends._import", lambda module, extra: fake)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)  # Ray itself sets it where it starts a cluster
    for backend in (None, "processes:2"):
        with connect(backend):
            assert fake.calls == []
    with connect("ray://local"):
        assert fake.calls[0][1]["object_store_memory"] == 512 * 2**20
        assert fake.calls[0][1]["address"] == "local"  # another cluster may be on this machine
        with connect("ray://local"):
            assert len(fake.calls) == 1
        assert fake.is_initialized()
    with connect("ray://host:1"):
        assert fake.calls[-1] == ("init", {"address": "ray://host:1", "log_to_driver": False})
    assert [name for name, _ in fake.calls] == ["init", "shutdown", "init", "shutdown"]
    with (
        pytest.raises(
            InputError, match=r"^no Ray cluster answers at lost:1: it timed out; if it asks for a token, set R"
        ),
        connect("ray://lost:1"),
    ):
        pass


def test_other_versions_are_refused() -> None:
    ours = version("gecval")
    _check_versions({"tcp://a": ours}, ours)
    with pytest.raises(InputError, match=f"the worker tcp://b has gecval 0.0.1, and this is {ours}"):
        _check_versions({"tcp://a": ours, "tcp://b": "0.0.1"}, ours)
    with pytest.raises(InputError, match=f"the worker of Ray has gecval {ours}, and this is 0.0.1"):
        _fetch_and_call([], 1, "0.0.1")


def test_here_and_in_processes() -> None:
    assert list(spread(square, [3, 1, 2], backend=None)) == [9, 1, 4]
    assert list(spread(square, [3, 1, 2], backend="processes:2")) == [9, 1, 4]
    assert list(spread(square, [], backend="processes")) == []


def test_processes_end_without_a_word(tmp_path: Path) -> None:
    """Their folder is gone, so nobody looks for it when the program ends."""
    program = tmp_path / "program.py"
    program.write_text(
        "from gecval.runtime.backends import spread\n"
        "if __name__ == '__main__':\n    print(*spread(abs, [-1, 2], backend='processes:2'))\n"
    )
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("1 2\n", "")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "dask",
        "dask://",
        "spark://a:1",
        "processes:0",
        "processes:x",
        "processes:9999",
        "ray",
        "dask://host",
        "ray://host:x",
    ],
)
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(InputError, match="is no backend: write processes") as refusal:
        check_backend(name)
    assert refusal.value.parameters == ("backend",)
    with pytest.raises(InputError, match="is no backend"):
        STUDIES["maege"](run=Run(backend=name))


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("gecval.runtime.backends.TIMEOUT_S", 1)
    with pytest.raises(InputError, match="no Dask scheduler answers at localhost:1"):
        list(spread(square, [1], backend="dask://localhost:1"))
    with pytest.raises(InputError, match="no Dask scheduler answers at localhost:1"), connect("dask://localhost:1"):
        pytest.fail("what this process does itself has begun")


class FullDisk(Checkpoint):
    """There is room for what is measured here, and for nothing else."""

    def add(self, item: Any, answer: Any) -> None:
        if item[0] != "cost and range":
            raise InputError("cannot write kept: No space left on device", parameter="checkpoint")


@pytest.mark.parametrize("backend", [None, "dask://localhost:1"])
def test_a_lost_cluster_or_a_full_disk_is_no_fault_of_a_metric(
    backend: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card says what a metric cannot do. What has nothing to do with it ends the study, and at once."""
    asked: list[str] = []

    def note(done: int, total: int) -> None:
        pass

    note.announce = asked.append  # type: ignore[attr-defined]
    monkeypatch.setattr("gecval.runtime.backends.TIMEOUT_S", 1)
    monkeypatch.setattr("gecval.studies.validate.study.Checkpoint", FullDisk)
    with pytest.raises(InputError, match="No space left" if backend is None else "no Dask scheduler answers"):
        validate(["ld", "gleu"], sample=True, replicates=1, run=Run(backend=backend, progress=note))
    assert not [said for said in asked if "of" in said.split() and "MAEGE" in said]
