"""What can go wrong between a server and a disk: broken connections, wrong content, no room, no permission."""

import errno
import hashlib
import os
from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.formats.datasets import fetch_dataset
from gecval.formats.datasets import fetching as downloading
from mirror import Mirror
from toy_dataset import COMMIT, CONTENTS, PATHS, WHOLE, tree


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
    monkeypatch.setattr(downloading.time, "sleep", pauses.append)
    monkeypatch.setattr(downloading, "PAUSES_S", (2.0, 2.0, 2.0, 0.5))
    mirror.faults[PATHS["src.txt"]] = ["wait 1", "wait 7", "wait 3600", "wait Fri, 31 Dec 1999 23:59:59 GMT"]
    fetch_dataset("toy", root)
    assert tree(root) == WHOLE
    assert pauses == [2.0, 7.0, 60.0, 0.5]


def test_no_network(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_MIRROR", "http://127.0.0.1:1")
    refused = os.strerror(errno.ECONNREFUSED)
    with pytest.raises(
        InputError, match=rf"^cannot reach 127.0.0.1:1 \({refused}\): check the network; try again later$"
    ):
        fetch_dataset("toy", root)
    assert list(root.iterdir()) == []


def test_a_server_that_says_nothing(mirror: Mirror, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "TIMEOUT_S", 3.0)
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
    downloading.download(mirror.address + PATHS["b.txt"], target, size=len(text), sha256=sha256)
    assert target.read_bytes() == text


def test_what_is_told_lies_on_the_disk(mirror: Mirror, tmp_path: Path) -> None:
    """A run that is killed loses nothing of what it has told, and the next try begins by telling what there is."""
    text, told = CONTENTS["src.txt"], []
    mirror.faults[PATHS["src.txt"]] = [1000]
    part = tmp_path / "src.txt.part"
    downloading.download(
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
