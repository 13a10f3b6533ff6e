"""Fetching from a server of the tests' own: complete or not at all, resumable, and clear about what went wrong."""

import errno
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.formats.datasets import downloading, fetch, find_dataset, registry
from gecval.formats.datasets.locking import alone
from mirror import Mirror, serve

COMMIT = "c0ffee" + 34 * "0"
CONTENTS = {"src.txt": b"He go home .\n" * 2000, "systems/A": b"He goes home .\n" * 3000, "b.txt": b"b\n"}
PATHS = {name: f"/owner/repo/{COMMIT}/data/{name}" for name in CONTENTS}


def facts(contents: dict[str, bytes]) -> dict[str, object]:
    files = [
        {"name": name, "path": f"data/{name}", "bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
        for name, text in contents.items()
    ]
    return {
        "title": "Toy: a few lines",
        "language": "en",
        "licence": "CC0",
        "citation": "Nobody 2020.",
        "upstream": [{"repository": "owner/repo", "commit": COMMIT, "files": files}],
    }


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A registry with one set, ``toy``; its folder, so that tests can add others."""
    folder = tmp_path / "registry"
    folder.mkdir()
    (folder / "toy.json").write_text(json.dumps(facts(CONTENTS)))
    monkeypatch.setattr(registry, "FOLDER", folder)
    registry.datasets.cache_clear()
    yield folder
    registry.datasets.cache_clear()


@pytest.fixture
def mirror(sets: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    with serve() as mirror:
        mirror.files = {PATHS[name]: text for name, text in CONTENTS.items()}
        monkeypatch.setenv("GECVAL_MIRROR", mirror.address)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        monkeypatch.setattr(downloading, "PAUSES_S", (0.0, 0.0, 0.0))
        yield mirror


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "data"


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


WHOLE = {f"toy/{name}": text for name, text in CONTENTS.items()}


def test_a_set_comes_whole(mirror: Mirror, root: Path) -> None:
    seen: list[tuple[int, int]] = []
    assert fetch("toy", root, progress=lambda done, total: seen.append((done, total))) == root / "toy"
    assert tree(root) == WHOLE
    total = sum(map(len, CONTENTS.values()))
    assert seen[0] == (0, total)
    assert seen[-1] == (total, total)
    assert seen == sorted(seen)


def test_the_folder_is_the_users_by_default(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_DATA", str(root))
    assert fetch("toy") == root / "toy"
    assert tree(root) == WHOLE


def test_a_second_time_nothing_is_fetched(mirror: Mirror, root: Path) -> None:
    fetch("toy", root)
    asked = len(mirror.requests)
    stamps = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    fetch("toy", root)
    assert len(mirror.requests) == asked == 3
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == stamps


def test_only_what_is_missing_is_fetched(mirror: Mirror, root: Path) -> None:
    fetch("toy", root)
    (root / "toy/b.txt").unlink()
    (root / "toy/mine.txt").write_text("my own notes")
    mirror.requests.clear()
    fetch("toy", root)
    assert mirror.requests == [(PATHS["b.txt"], None)]
    assert tree(root) == {**WHOLE, "toy/mine.txt": b"my own notes"}


def test_a_broken_connection_goes_on_where_it_broke(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["systems/A"]] = [1000, 500]
    fetch("toy", root)
    assert tree(root) == WHOLE
    asked = [wanted for path, wanted in mirror.requests if path == PATHS["systems/A"]]
    assert asked == [None, "bytes=1000-", "bytes=1500-"]


def test_a_connection_that_always_breaks(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["systems/A"]] = [1000, *[0] * 20]
    with pytest.raises(InputError, match=r"the connection broke after 1,000 of 45,000 bytes; try again: what has come"):
        fetch("toy", root)
    assert len([path for path, _ in mirror.requests if path == PATHS["systems/A"]]) == 4
    assert not (root / "toy").exists()
    kept = {f".toy.fetching/{name}": CONTENTS[name] for name in ("src.txt",)}
    assert tree(root) == {**kept, ".toy.fetching/systems/A.part": CONTENTS["systems/A"][:1000]}


def test_the_next_run_goes_on(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["systems/A"]] = [1000, *[0] * 4]
    with pytest.raises(InputError, match="try again"):
        fetch("toy", root)
    mirror.faults.clear()
    mirror.requests.clear()
    fetch("toy", root)
    assert mirror.requests == [(PATHS["systems/A"], "bytes=1000-"), (PATHS["b.txt"], None)]
    assert tree(root) == WHOLE


@pytest.mark.parametrize("fault", ["no range", "elsewhere"])
def test_a_server_that_does_not_know_ranges(mirror: Mirror, root: Path, fault: str) -> None:
    mirror.faults[PATHS["src.txt"]] = [1000, fault, "no range"]
    fetch("toy", root)
    assert tree(root) == WHOLE


def test_a_server_that_begins_anew_and_breaks_for_ever(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["src.txt"]] = ["no range 50", "no range 60"] * 50
    with pytest.raises(InputError, match=r"the connection broke after 50 of 26,000 bytes; try again: what has come"):
        fetch("toy", root)
    assert len(mirror.requests) == 5  # the second is progress, the others are not


@pytest.mark.parametrize("part", [b"something else", b"x" * 26_000, b"x" * 99_999])
def test_what_lies_in_a_partial_file_is_not_trusted(mirror: Mirror, root: Path, part: bytes) -> None:
    (root / ".toy.fetching").mkdir(parents=True)
    (root / ".toy.fetching/src.txt.part").write_bytes(part)
    (root / ".toy.fetching/b.txt").write_bytes(b"c\n")
    (root / ".toy.fetching/outdated.txt").write_bytes(b"of an older registry")
    fetch("toy", root)
    assert tree(root) == WHOLE


def test_a_wrong_checksum(mirror: Mirror, root: Path) -> None:
    mirror.files[PATHS["systems/A"]] = b"X" + CONTENTS["systems/A"][1:]
    with pytest.raises(
        InputError, match=rf"^{mirror.address}/owner/repo/{COMMIT}/data/systems/A: wrong checksum; does"
    ):
        fetch("toy", root)
    assert not (root / "toy").exists()
    assert tree(root) == {".toy.fetching/src.txt": CONTENTS["src.txt"]}


def test_a_login_page_instead_of_the_file(mirror: Mirror, root: Path) -> None:
    mirror.files[PATHS["src.txt"]] = b"<html>log in</html>"
    with pytest.raises(InputError, match=r"wrong size, 19 bytes instead of 26,000; does a proxy, a mirror or a login"):
        fetch("toy", root)
    assert tree(root) == {}


def test_a_file_that_has_gone(mirror: Mirror, root: Path) -> None:
    del mirror.files[PATHS["src.txt"]]
    with pytest.raises(InputError, match=r"data/src.txt: 404 Not Found: the file is no longer there$"):
        fetch("toy", root)
    assert len(mirror.requests) == 1
    assert tree(root) == {}


def test_a_busy_server(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["src.txt"]] = ["503", "429"]
    fetch("toy", root)
    assert tree(root) == WHOLE
    mirror.faults[PATHS["src.txt"]] = ["503"] * 10
    (root / "toy/src.txt").unlink()
    with pytest.raises(InputError, match=r"503 Service Unavailable; try again later$"):
        fetch("toy", root)


def test_no_network(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_MIRROR", "http://127.0.0.1:1")
    with pytest.raises(InputError, match=r"^cannot reach 127.0.0.1:1 \(.+\): check the network; try again later$"):
        fetch("toy", root)
    assert tree(root) == {}


def test_a_server_that_says_nothing(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "TIMEOUT_S", 1.0)
    mirror.faults[PATHS["src.txt"]] = ["hang 1000"]
    fetch("toy", root)
    assert tree(root) == WHOLE
    assert mirror.requests[:2] == [(PATHS["src.txt"], None), (PATHS["src.txt"], "bytes=1000-")]


def test_a_full_disk(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = 0
    real = Path.open

    class Full:
        """A file on a disk with room for 70,000 bytes more."""

        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.file.close()

        def write(self, chunk: bytes) -> None:
            nonlocal written
            if written + len(chunk) > 70_000:
                raise OSError(errno.ENOSPC, "No space left on device")
            written += len(chunk)
            self.file.write(chunk)

        def flush(self) -> None:
            self.file.flush()

    def opened(path: Path, mode: str = "r", *args, **others):
        file = real(path, mode, *args, **others)
        return Full(file) if mode in ("ab", "wb") else file

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", opened)
        with pytest.raises(InputError, match=r"^cannot write .*systems/A.part: No space left on device"):
            fetch("toy", root)
    assert not (root / "toy").exists()
    assert tree(root)[".toy.fetching/src.txt"] == CONTENTS["src.txt"]
    fetch("toy", root)
    assert tree(root) == WHOLE


def test_no_permission(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *args: object, **others: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError, match=rf"^cannot write {root}: Permission denied$"):
        fetch("toy", root)


def test_the_data_folder_is_a_file(mirror: Mirror, root: Path) -> None:
    root.write_text("")
    with pytest.raises(InputError, match=r"^cannot write .*: (Not a directory|File exists)$"):
        fetch("toy", root)
    root.unlink()
    root.mkdir()
    (root / "toy").write_text("not a folder")
    with pytest.raises(InputError, match=r"^cannot write .*: (Not a directory|File exists)$"):
        fetch("toy", root)
    assert (root / "toy").read_text() == "not a folder"


def test_a_file_of_the_users_is_not_replaced(mirror: Mirror, root: Path) -> None:
    (root / "toy").mkdir(parents=True)
    (root / "toy/b.txt").write_text("mine\n")
    with pytest.raises(InputError, match=r"b.txt is not the file that toy has \(it has 5 bytes, not 2\); move it away"):
        fetch("toy", root)
    assert tree(root) == {"toy/b.txt": b"mine\n"}
    assert mirror.requests == []


def test_an_interrupted_run_leaves_nothing_half_written(mirror: Mirror, root: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        if done > 30_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("toy", root, progress=interrupt)
    assert not (root / "toy").exists()
    assert all(name.startswith(".toy.fetching/") for name in tree(root))
    fetch("toy", root)
    assert tree(root) == WHOLE


def test_a_link_to_another_place(mirror: Mirror, root: Path, tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    root.mkdir()
    (root / "toy").symlink_to(tmp_path / "large/toy")
    fetch("toy", root)
    assert tree(tmp_path / "large") == WHOLE
    assert (root / "toy/b.txt").read_bytes() == b"b\n"


def test_equal_files_come_once(mirror: Mirror, sets: Path, root: Path) -> None:
    twins = {"x.txt": b"twin\n", "deep/y.txt": b"twin\n"}
    (sets / "twins.json").write_text(json.dumps(facts(twins)))
    registry.datasets.cache_clear()
    mirror.files[f"/owner/repo/{COMMIT}/data/x.txt"] = b"twin\n"
    fetch("twins", root)
    assert tree(root) == {"twins/x.txt": b"twin\n", "twins/deep/y.txt": b"twin\n"}
    assert len(mirror.requests) == 1


def test_files_made_here(mirror: Mirror, sets: Path, root: Path) -> None:
    text, words = "He's gone-by, now.\n\n“Yes”\n".encode(), "He's gone-by , now .\n\n“ Yes ”\n".encode()
    made = {"name": "words.txt", "source": "raw.txt", "rule": "words", "bytes": len(words)}
    made["sha256"] = hashlib.sha256(words).hexdigest()
    (sets / "cut.json").write_text(json.dumps(facts({"raw.txt": text}) | {"made": [made]}))
    registry.datasets.cache_clear()
    mirror.files[f"/owner/repo/{COMMIT}/data/raw.txt"] = text
    fetch("cut", root)
    assert tree(root) == {"cut/raw.txt": text, "cut/words.txt": words}
    (root / "cut/words.txt").unlink()
    fetch("cut", root)
    assert tree(root) == {"cut/raw.txt": text, "cut/words.txt": words}
    assert len(mirror.requests) == 1


def test_the_rules_make_the_real_files(data: Path, tmp_path: Path) -> None:
    from gecval.formats.datasets.checking import difference
    from gecval.formats.datasets.entry import Recipe
    from gecval.formats.datasets.making import make

    recipes = [(entry, file) for entry in registry.datasets() for file in entry.files]
    checked = 0
    for entry, file in recipes:
        if isinstance(file.origin, Recipe):
            make(file.origin.rule, data / entry.folder / file.origin.source, tmp_path / "made")
            assert difference(file, tmp_path / "made") == ""
            checked += 1
    assert checked == 5


def test_threads_at_once(mirror: Mirror, root: Path) -> None:
    threads = [threading.Thread(target=fetch, args=("toy", root)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tree(root) == WHOLE
    assert len(mirror.requests) == 3


FETCH = """
import sys
from pathlib import Path
from gecval.formats.datasets import fetch, registry
registry.FOLDER = Path(sys.argv[1])
fetch("toy", sys.argv[2])
"""


def test_processes_at_once_one_of_which_is_killed(mirror: Mirror, sets: Path, root: Path) -> None:
    command = [sys.executable, "-c", FETCH, str(sets), str(root)]
    mirror.faults[PATHS["src.txt"]] = ["hang 1000"]
    part = root / ".toy.fetching/src.txt.part"
    with subprocess.Popen(command) as killed:
        while not (part.exists() and part.stat().st_size == 1000):
            assert killed.poll() is None
            time.sleep(0.05)
        with subprocess.Popen(command) as waiting:
            killed.kill()
            assert waiting.wait() == 0
    assert tree(root) == WHOLE
    assert mirror.requests[1] == (PATHS["src.txt"], "bytes=1000-")


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    lock, order = tmp_path / "lock", []

    def second() -> None:
        with alone(lock, lambda: order.append("waits")):
            order.append("second")

    with alone(lock):
        thread = threading.Thread(target=second)
        thread.start()
        while not order:
            time.sleep(0.01)
        order.append("first")
    thread.join()
    assert order == ["waits", "first", "second"]
    assert os.listdir(tmp_path) == []  # noqa: PTH208


def test_a_set_got_by_hand(sets: Path, root: Path) -> None:
    gold = "S a b\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n\nS c\n\n"
    by_hand = {"how": "Ask for it.", "files": [{"name": "dev.m2", "path": "wi/m2/dev.m2", "sentences": 2}]}
    kept = {name: text for name, text in facts({}).items() if name != "upstream"}
    (sets / "hand.json").write_text(json.dumps(kept | {"by_hand": by_hand}))
    registry.datasets.cache_clear()
    with pytest.raises(InputError, match=rf"^hand must be got by hand: {root}/hand/dev.m2 is missing\. Ask for it\.$"):
        fetch("hand", root)
    (root / "hand/wi/m2").mkdir(parents=True)  # the archive as it unpacks
    (root / "hand/wi/m2/dev.m2").write_text(gold)
    assert fetch("hand", root) == root / "hand"
    assert find_dataset("hand").fetched == ()
