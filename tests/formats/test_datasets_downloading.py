"""What can go wrong between a server and a disk: broken connections, wrong content, no room, no permission."""

import contextlib
import errno
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.formats.datasets import catalog, fetch_dataset, fetching, find_dataset
from gecval.formats.datasets.catalog import Recipe
from gecval.formats.datasets.fetching import make
from gecval.formats.datasets.folder import difference
from gecval.runtime import processes
from gecval.runtime.processes import exclusive_lock
from mirror import Mirror
from toy_dataset import COMMIT, CONTENTS, PATHS, WHOLE, facts, tree


def test_a_broken_connection_goes_on_where_it_broke(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["systems/A"]] = [1000, 500]
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE
    asked = [wanted for path, wanted in mirror.requests if path == PATHS["systems/A"]]
    assert asked == [None, "bytes=1000-", "bytes=1500-"]


def test_a_connection_that_always_breaks(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["systems/A"]] = [1000, *[0] * 20]
    with pytest.raises(InputError, match=r"the connection broke after 1,000 of 45,000 bytes; try again: what has come"):
        fetch_dataset("toy", root)
    assert len([path for path, _ in mirror.requests if path == PATHS["systems/A"]]) == 4
    assert not (root / "toy").exists()
    kept = {f".toy.fetching/{name}": CONTENTS[name] for name in ("src.txt",)}
    assert tree(root) == {**kept, ".toy.fetching/systems/A.part": CONTENTS["systems/A"][:1000]}


def test_the_next_run_goes_on(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["systems/A"]] = [1000, *[0] * 4]
    with pytest.raises(InputError, match="try again"):
        fetch_dataset("toy", root)
    mirror.faults.clear()
    mirror.requests.clear()
    fetch_dataset("toy", root)
    assert mirror.requests == [(PATHS["systems/A"], "bytes=1000-"), (PATHS["b.txt"], None)]
    assert tree(root) == WHOLE


@pytest.mark.parametrize("fault", ["no range", "elsewhere"])
def test_a_server_that_does_not_know_ranges(mirror: Mirror, root: Path, fault: str) -> None:
    mirror.faults[PATHS["src.txt"]] = [1000, fault, "no range"]
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE


def test_a_server_that_does_not_say_how_large_a_file_is(mirror: Mirror, root: Path) -> None:
    """Neither for the whole nor for the rest of it; size and checksum are those of the registry."""
    mirror.faults[PATHS["src.txt"]] = ["no size 1000", "no size"]
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE
    assert [wanted for path, wanted in mirror.requests if path == PATHS["src.txt"]] == [None, "bytes=1000-"]


def test_a_server_that_begins_anew_and_breaks_for_ever(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["src.txt"]] = ["no range 50", "no range 60"] * 50
    with pytest.raises(InputError, match=r"the connection broke after 50 of 26,000 bytes; try again: what has come"):
        fetch_dataset("toy", root)
    assert len(mirror.requests) == 5  # the second is progress, the others are not


@pytest.mark.parametrize("part", [b"something else", b"x" * 26_000, b"x" * 99_999])
def test_what_lies_in_a_partial_file_is_not_trusted(mirror: Mirror, root: Path, part: bytes) -> None:
    (root / ".toy.fetching").mkdir(parents=True)
    (root / ".toy.fetching/src.txt.part").write_bytes(part)
    (root / ".toy.fetching/b.txt").write_bytes(b"c\n")
    (root / ".toy.fetching/outdated.txt").write_bytes(b"of an older registry")
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE
    assert mirror.requests[0] == (PATHS["src.txt"], "bytes=14-" if len(part) == 14 else None)


def test_a_wrong_checksum(mirror: Mirror, root: Path) -> None:
    mirror.files[PATHS["systems/A"]] = b"X" + CONTENTS["systems/A"][1:]
    with pytest.raises(
        InputError, match=rf"^{mirror.address}/owner/repo/{COMMIT}/data/systems/A: wrong checksum; does"
    ):
        fetch_dataset("toy", root)
    assert not (root / "toy").exists()
    assert tree(root) == {".toy.fetching/src.txt": CONTENTS["src.txt"]}


def test_a_login_page_instead_of_the_file(mirror: Mirror, root: Path) -> None:
    mirror.files[PATHS["src.txt"]] = b"<html>log in</html>"
    with pytest.raises(InputError, match=r"wrong size, 19 bytes instead of 26,000; does a proxy, a mirror or a login"):
        fetch_dataset("toy", root)
    assert tree(root) == {}


def test_a_server_whose_file_ends_before_the_part(mirror: Mirror, root: Path) -> None:
    mirror.files[PATHS["src.txt"]] = CONTENTS["src.txt"][:500]
    (root / ".toy.fetching").mkdir(parents=True)
    (root / ".toy.fetching/src.txt.part").write_bytes(CONTENTS["src.txt"][:1000])
    with pytest.raises(InputError, match="wrong size, 500 bytes instead of 26,000"):
        fetch_dataset("toy", root)
    assert [wanted for _, wanted in mirror.requests] == ["bytes=1000-", None]


def test_a_file_that_has_gone(mirror: Mirror, root: Path) -> None:
    del mirror.files[PATHS["src.txt"]]
    with pytest.raises(InputError, match=r"data/src.txt: 404 Not Found: the file is no longer there$"):
        fetch_dataset("toy", root)
    assert len(mirror.requests) == 1
    assert tree(root) == {}


def test_a_busy_server(mirror: Mirror, root: Path) -> None:
    mirror.faults[PATHS["src.txt"]] = ["503", "429"]
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE
    mirror.faults[PATHS["src.txt"]] = ["503"] * 10
    (root / "toy/src.txt").unlink()
    with pytest.raises(InputError, match=r"503 Service Unavailable; try again later$"):
        fetch_dataset("toy", root)


@pytest.mark.parametrize("status", [408, 416, 425, 429, 500, 502, 503, 504])
def test_what_may_work_next_time_is_tried_again(mirror: Mirror, root: Path, status: int) -> None:
    mirror.faults[PATHS["src.txt"]] = [str(status)]
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE


@pytest.mark.parametrize(("status", "message"), [(401, "401 Unauthorized$"), (410, "410 Gone: the file is no longer")])
def test_what_never_works_is_not_tried_again(mirror: Mirror, root: Path, status: int, message: str) -> None:
    mirror.faults[PATHS["src.txt"]] = [str(status)]
    with pytest.raises(InputError, match=message):
        fetch_dataset("toy", root)
    assert len(mirror.requests) == 1


def test_a_server_says_how_long_it_wants_to_be_left_alone(
    mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The longer of its pause and ours, a minute at most; a date or a word counts as nothing."""
    pauses: list[float] = []
    monkeypatch.setattr(fetching.time, "sleep", pauses.append)
    monkeypatch.setattr(fetching, "PAUSES_S", (2.0, 2.0, 2.0, 0.5))
    mirror.faults[PATHS["src.txt"]] = ["wait 1", "wait 7", "wait 3600", "wait Fri, 31 Dec 1999 23:59:59 GMT"]
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE
    assert pauses == [2.0, 7.0, 60.0, 0.5]


def test_no_network(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_MIRROR", "http://127.0.0.1:1")
    refused = os.strerror(errno.ECONNREFUSED)
    with pytest.raises(
        InputError,
        match=rf"^cannot reach 127.0.0.1:1 \({refused}\): check the network; try again later, or copy .*GECVAL_DATA",
    ):
        fetch_dataset("toy", root)
    assert list(root.iterdir()) == []


def test_a_server_that_says_nothing(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "TIMEOUT_S", 3.0)
    mirror.faults[PATHS["src.txt"]] = ["hang 1000"]
    fetch_dataset("toy", root)
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
        kept = "what has come is kept for the next try"
        with pytest.raises(InputError, match=rf"^cannot write .*systems/A.part: No space left on device; {kept}$"):
            fetch_dataset("toy", root)
    assert not (root / "toy").exists()
    assert tree(root)[".toy.fetching/src.txt"] == CONTENTS["src.txt"]
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE


def test_the_folder_of_a_file_is_made(mirror: Mirror, tmp_path: Path) -> None:
    text = CONTENTS["b.txt"]
    target = tmp_path / "a" / "b" / "b.txt"
    sha256 = hashlib.sha256(text).hexdigest()
    fetching.download(mirror.address + PATHS["b.txt"], target, size=len(text), sha256=sha256)
    assert target.read_bytes() == text


def test_what_is_told_lies_on_the_disk(mirror: Mirror, tmp_path: Path) -> None:
    """A run that is killed loses nothing of what it has told, and the next try begins by telling what there is."""
    text, told = CONTENTS["src.txt"], []
    mirror.faults[PATHS["src.txt"]] = [1000]
    part = tmp_path / "src.txt.part"
    fetching.download(
        mirror.address + PATHS["src.txt"],
        tmp_path / "src.txt",
        size=len(text),
        sha256=hashlib.sha256(text).hexdigest(),
        report=lambda done: told.append((done, part.stat().st_size)),
    )
    assert all(done == size for done, size in told)
    assert [done for done, _ in told][:3] == [0, 1000, 1000]
    assert told[-1] == (len(text), len(text))


def test_no_permission(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *args: object, **others: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError, match=rf"^cannot write {root}: Permission denied$"):
        fetch_dataset("toy", root)


def test_the_data_folder_is_a_file(mirror: Mirror, root: Path) -> None:
    root.write_text("")
    with pytest.raises(InputError, match=r"^cannot write .*: (Not a directory|File exists)$"):
        fetch_dataset("toy", root)
    root.unlink()
    root.mkdir()
    (root / "toy").write_text("not a folder")
    with pytest.raises(InputError, match=r"^cannot write .*: (Not a directory|File exists)$"):
        fetch_dataset("toy", root)
    assert (root / "toy").read_text() == "not a folder"


# Fetching a set: complete or not at all, only what is missing, and by one process at a time.


def test_a_set_comes_whole(mirror: Mirror, root: Path) -> None:
    seen: list[tuple[int, int]] = []
    assert fetch_dataset("toy", root, progress=lambda done, total: seen.append((done, total))) == root / "toy"
    assert tree(root) == WHOLE
    total = sum(map(len, CONTENTS.values()))
    assert seen[0] == (0, total)
    assert seen[-1] == (total, total)
    assert seen == sorted(seen)


def test_the_folder_is_the_users_by_default(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_DATA", str(root))
    assert fetch_dataset("toy") == root / "toy"
    assert tree(root) == WHOLE


def test_folders_above_are_made(mirror: Mirror, tmp_path: Path) -> None:
    assert fetch_dataset("toy", tmp_path / "my" / "data") == tmp_path / "my" / "data" / "toy"
    assert tree(tmp_path / "my" / "data") == WHOLE


def test_a_second_time_nothing_is_fetched(mirror: Mirror, root: Path) -> None:
    fetch_dataset("toy", root)
    asked = len(mirror.requests)
    stamps = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    fetch_dataset("toy", root)
    assert len(mirror.requests) == asked == 3
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == stamps


def test_a_complete_set_may_lie_where_nothing_can_be_written(
    mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch_dataset("toy", root)

    def refuse(*args: object, **others: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(Path, "mkdir", refuse)
    assert fetch_dataset("toy", root) == root / "toy"


def test_only_what_is_missing_is_fetched(mirror: Mirror, root: Path) -> None:
    fetch_dataset("toy", root)
    (root / "toy/b.txt").unlink()
    (root / "toy/mine.txt").write_text("my own notes")
    mirror.requests.clear()
    fetch_dataset("toy", root)
    assert mirror.requests == [(PATHS["b.txt"], None)]
    assert tree(root) == {**WHOLE, "toy/mine.txt": b"my own notes"}


def test_folders_of_what_is_missing_are_made(mirror: Mirror, sets: Path, root: Path) -> None:
    """Where a part of the set is there already; nothing is left of the folder in which files are gathered."""
    contents = {"b.txt": b"b\n", "deep/er/c.txt": b"c\n"}
    (sets / "deep.json").write_text(json.dumps(facts(contents)))
    catalog.datasets.cache_clear()
    mirror.files[f"/owner/repo/{COMMIT}/data/deep/er/c.txt"] = b"c\n"
    (root / "deep").mkdir(parents=True)
    (root / "deep/b.txt").write_bytes(b"b\n")
    fetch_dataset("deep", root)
    assert tree(root) == {f"deep/{name}": text for name, text in contents.items()}
    assert [path.name for path in root.iterdir()] == ["deep"]


def test_a_file_of_the_users_is_not_replaced(mirror: Mirror, root: Path) -> None:
    (root / "toy").mkdir(parents=True)
    (root / "toy/b.txt").write_text("mine\n")
    with pytest.raises(InputError, match=r"b.txt is not the file that toy has \(it has 5 bytes, not 2\); move it away"):
        fetch_dataset("toy", root)
    assert tree(root) == {"toy/b.txt": b"mine\n"}
    assert mirror.requests == []


def test_a_file_that_differs_in_a_clone_is_left_alone(mirror: Mirror, root: Path) -> None:
    (root / "toy/data").mkdir(parents=True)
    (root / "toy/data/b.txt").write_text("mine\n")
    fetch_dataset("toy", root)
    assert tree(root) == {**WHOLE, "toy/data/b.txt": b"mine\n"}


def test_an_interrupted_run_leaves_nothing_half_written(mirror: Mirror, root: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        if done > 30_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_dataset("toy", root, progress=interrupt)
    assert not (root / "toy").exists()
    assert all(name.startswith(".toy.fetching/") for name in tree(root))
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE


def test_a_link_to_another_place(mirror: Mirror, root: Path, tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    root.mkdir()
    (root / "toy").symlink_to(tmp_path / "large/toy")
    fetch_dataset("toy", root)
    assert tree(tmp_path / "large") == WHOLE
    assert (root / "toy/b.txt").read_bytes() == b"b\n"


def test_equal_files_come_once(mirror: Mirror, sets: Path, root: Path) -> None:
    twins = {"x.txt": b"twin\n", "deep/y.txt": b"twin\n"}
    (sets / "twins.json").write_text(json.dumps(facts(twins)))
    catalog.datasets.cache_clear()
    mirror.files[f"/owner/repo/{COMMIT}/data/x.txt"] = b"twin\n"
    fetch_dataset("twins", root)
    assert tree(root) == {"twins/x.txt": b"twin\n", "twins/deep/y.txt": b"twin\n"}
    assert len(mirror.requests) == 1


def test_files_made_here(mirror: Mirror, sets: Path, root: Path) -> None:
    text, words = "He's gone-by, now.\n\n“Yes”\n".encode(), "He's gone-by , now .\n\n“ Yes ”\n".encode()
    made = {"name": "words.txt", "source": "raw.txt", "rule": "words", "bytes": len(words)}
    made["sha256"] = hashlib.sha256(words).hexdigest()
    (sets / "cut.json").write_text(json.dumps(facts({"raw.txt": text}) | {"made": [made]}))
    catalog.datasets.cache_clear()
    mirror.files[f"/owner/repo/{COMMIT}/data/raw.txt"] = text
    fetch_dataset("cut", root)
    assert tree(root) == {"cut/raw.txt": text, "cut/words.txt": words}
    (root / "cut/words.txt").unlink()
    fetch_dataset("cut", root)
    assert tree(root) == {"cut/raw.txt": text, "cut/words.txt": words}
    assert len(mirror.requests) == 1


def test_a_file_that_is_made_wrong_does_not_stay(mirror: Mirror, sets: Path, root: Path) -> None:
    made = {"name": "words.txt", "source": "raw.txt", "rule": "words", "bytes": 9, "sha256": "0" * 64}
    (sets / "cut.json").write_text(json.dumps(facts({"raw.txt": b"a.\n"}) | {"made": [made]}))
    catalog.datasets.cache_clear()
    mirror.files[f"/owner/repo/{COMMIT}/data/raw.txt"] = b"a.\n"
    message = r"^words.txt of cut cannot be made on this system: it has 4 bytes, not 9$"
    with pytest.raises(InputError, match=message):
        fetch_dataset("cut", root)
    assert tree(root) == {".cut.fetching/raw.txt": b"a.\n"}


def test_the_rules_make_the_real_files(data: Path, tmp_path: Path) -> None:
    recipes = [(entry, file) for entry in catalog.datasets() for file in entry.files]
    checked = 0
    for entry, file in recipes:
        if isinstance(file.origin, Recipe):
            make(file.origin.rule, data / entry.folder / file.origin.source, tmp_path / "made")
            assert difference(file, tmp_path / "made") == ""
            checked += 1
    assert checked == 5


def test_threads_at_once(mirror: Mirror, root: Path) -> None:
    threads = [threading.Thread(target=fetch_dataset, args=("toy", root)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tree(root) == WHOLE
    assert len(mirror.requests) == 3


FETCH = """
import sys
from pathlib import Path
from gecval.formats.datasets import fetch_dataset, catalog
catalog.FOLDER = Path(sys.argv[1])
fetch_dataset("toy", sys.argv[2])
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


def still_open(path: Path) -> list[str]:
    """The handles of this process on a file, whether it was removed or not; no other file's, which come and go."""
    links = []
    for handle in Path("/proc/self/fd").glob("*"):
        with contextlib.suppress(OSError):  # the folder's own, and those of other threads
            links.append(str(handle.readlink()))
    return [link for link in links if link.removesuffix(" (deleted)") == str(path.resolve())]


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    lock, order = tmp_path / "lock", []

    def second() -> None:
        with exclusive_lock(lock, lambda: order.append("waits")):
            order.append("second")

    with exclusive_lock(lock):
        thread = threading.Thread(target=second)
        thread.start()
        while not order:
            time.sleep(0.01)
        order.append("first")
    thread.join()
    assert order == ["waits", "first", "second"]
    assert still_open(lock) == []  # who waits opens the file again and again
    assert os.listdir(tmp_path) == []  # noqa: PTH208


def test_a_lock_file_that_its_holder_removes_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, take = tmp_path / "lock", processes._lock
    handles: list[int] = []

    def removed_at_first(handle: int) -> bool:
        if not handles:
            lock.unlink()
            lock.touch()  # by a third process
        handles.append(handle)
        return take(handle)

    monkeypatch.setattr(processes, "_lock", removed_at_first)
    with exclusive_lock(lock), lock.open("r+b") as other:
        assert not take(other.fileno())
    assert still_open(lock) == []


def test_a_set_got_by_hand(sets: Path, root: Path) -> None:
    gold = "S a b\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n\nS c\n\n"
    by_hand = {"how": "Ask for it.", "files": [{"name": "dev.m2", "path": "wi/m2/dev.m2", "sentences": 2}]}
    kept = {name: text for name, text in facts({}).items() if name != "upstream"}
    (sets / "hand.json").write_text(json.dumps(kept | {"by_hand": by_hand}))
    catalog.datasets.cache_clear()
    with pytest.raises(InputError, match=rf"^hand must be got by hand: {root}/hand/dev.m2 is missing\. Ask for it\.$"):
        fetch_dataset("hand", root)
    (root / "hand/wi/m2").mkdir(parents=True)  # the archive as it unpacks
    (root / "hand/wi/m2/dev.m2").write_text(gold)
    assert fetch_dataset("hand", root) == root / "hand"
    assert find_dataset("hand").fetched == ()
