"""The registry of data sets: complete facts, names that stay inside their folders, hashes of the real files."""

import gzip
import hashlib
import json
import re
import sys
from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.formats.datasets import (
    DataFile,
    catalog,
    check,
    data_folder,
    dataset,
    dataset_file,
    dataset_files,
    datasets,
    find_dataset,
)
from gecval.formats.datasets.catalog import Dataset, Recipe, Upstream, parse_dataset
from gecval.formats.datasets.fetching import RULES
from gecval.formats.datasets.folder import need_datasets
from gecval.studies.data.study import dataset_card, list_datasets
from real_data import WANT
from toy_dataset import facts

NAMES = [entry.name for entry in datasets()]
HASHED = [entry.name for entry in datasets() if any(file.sha256 for file in entry.files)]


def test_the_sets_of_the_papers_are_there() -> None:
    wanted = {
        *("conll14", "bea-dev", "jfleg-dev", "gjg15", "nspt15", "seeda", "gug", "turkcorpus", "bryant-ng-2015"),
        *("references", "sakaguchi-2016", "ibgec", "cleme", "attacks", "seeda-edits", "nucle", "fce", "lang8"),
        *("ua-gec", "geccc", "falko-merlin", "estgec-l2", "mucgec-dev", "nlpcc2018", "zaebuc", "valico-ud", "gnc"),
    }
    assert wanted <= set(NAMES)
    assert sorted(NAMES) == NAMES


def test_terms_are_those_of_the_file() -> None:
    assert find_dataset("cleme").terms.startswith("The sentences are those of the CoNLL-2014 shared task")
    assert find_dataset("gug").terms == ""


@pytest.mark.parametrize("name", NAMES)
def test_every_set_says_what_a_user_must_know(name: str) -> None:
    entry = find_dataset(name)
    assert entry.title
    assert entry.licence
    assert entry.citation
    assert re.fullmatch("[a-z]{2,3}", entry.language)
    assert entry.files
    assert len({file.name for file in entry.files}) == len(entry.files)
    assert bool(entry.by_hand) == any(file.origin is None for file in entry.files)
    for file in entry.files:
        assert re.fullmatch("[0-9a-f]{64}", file.sha256 or "") or file.sentences
        assert file.sha256 is None or (file.bytes or 0) > 0
        if isinstance(file.origin, Upstream):
            assert re.fullmatch("[0-9a-f]{40}", file.origin.commit)
            assert re.fullmatch(r"[\w.-]+/[\w.-]+", file.origin.repository)
        if isinstance(file.origin, Recipe):
            assert file.origin.rule in RULES
            assert entry.file(file.origin.source)


@pytest.mark.parametrize("name", HASHED)
def test_hashes_are_those_of_the_real_files(name: str, data: Path) -> None:
    state = check(find_dataset(name), Path(data))
    if state.state == "absent":
        pytest.skip(f"{WANT}: {state.folder} is missing (`gecval data list {name}`)")
    assert [(file.file.name, file.why) for file in state.list_files("different")] == []
    assert state.unknown == ()


def test_a_set_is_known_by_its_folder_too() -> None:
    assert find_dataset("multi/uk/ua-gec") == find_dataset("ua-gec")


def test_an_unknown_set() -> None:
    with pytest.raises(InputError, match=r"^no data set 'conll-14'; did you mean conll14\?$"):
        find_dataset("conll-14")
    with pytest.raises(InputError, match=r"^no data set '\.\./\.\./etc/passwd'; `gecval data list` shows"):
        find_dataset("../../etc/passwd")


@pytest.mark.parametrize("path", ["../evil", "/etc/passwd", "a/../../b", "..\\evil", "c:evil", "a/.."])
def test_no_file_lies_outside_its_folder(path: str) -> None:
    with pytest.raises(InputError, match="does not stay inside"):
        DataFile(name=path)
    with pytest.raises(InputError, match="does not stay inside"):
        DataFile(name="fine", origin=Upstream(repository="a/b", commit="c", path=path))
    facts = {"title": "t", "language": "en", "licence": "l", "citation": "c", "folder": path}
    with pytest.raises(InputError, match="does not stay inside"):
        parse_dataset("bad", facts)


def test_an_address_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GECVAL_MIRROR", raising=False)
    upstream = Upstream(repository="a/b", commit="c0ffee", path="out/bart+ged 1#.txt")
    assert upstream.address == "https://raw.githubusercontent.com/a/b/c0ffee/out/bart%2Bged%201%23.txt"
    monkeypatch.setenv("GECVAL_MIRROR", "http://localhost:8000/mirror/")
    assert upstream.address == "http://localhost:8000/mirror/a/b/c0ffee/out/bart%2Bged%201%23.txt"
    monkeypatch.setenv("GECVAL_MIRROR", "file:///etc")
    with pytest.raises(InputError, match="GECVAL_MIRROR must start with http"):
        str(upstream.address)


# Where data sets lie, in our layout and in upstream's, and what a check of them finds.


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    return tmp_path


def put(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "/home/me/.local/share/gecval"),
        ("linux", {"XDG_DATA_HOME": "/big"}, "/big/gecval"),
        ("linux", {"XDG_DATA_HOME": "not/absolute"}, "/home/me/.local/share/gecval"),
        ("linux", {"GECVAL_DATA": "/mine", "XDG_DATA_HOME": "/big"}, "/mine"),
        ("linux", {"GECVAL_DATA": ""}, "/home/me/.local/share/gecval"),
        ("darwin", {"XDG_DATA_HOME": "/big"}, "/home/me/Library/Application Support/gecval"),
        ("win32", {"LOCALAPPDATA": "/users/me/local"}, "/users/me/local/gecval"),
        ("win32", {}, "/home/me/AppData/Local/gecval"),
    ],
)
def test_the_users_data_folder(platform, variables, expected, monkeypatch) -> None:
    for name in ("GECVAL_DATA", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    assert data_folder() == Path(expected)


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("no home")

    for name in ("GECVAL_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(InputError, match=r"^there is no folder for data: set GECVAL_DATA to one$"):
        data_folder()


def test_a_set_that_is_not_there(root: Path) -> None:
    with pytest.raises(InputError) as refusal:
        dataset("gug")
    assert str(refusal.value) == (
        f"no folder {root}/gug (GUG: 3,129 learner sentences with ordinal judgments of grammaticality); "
        "get it: `gecval data fetch gug`, or set GECVAL_DATA to the folder that holds it"
    )
    (root / "gug").mkdir()
    assert dataset("gug") == root / "gug"


def test_all_that_is_missing_is_said_at_once(root: Path) -> None:
    (root / "gug").mkdir()
    with pytest.raises(InputError) as refusal:
        need_datasets(["conll14", "gug", "nspt15", "nucle"])
    message = str(refusal.value)
    assert message.count("no folder") == 3
    assert "`gecval data fetch conll14 nspt15`, `gecval data list nucle` says how to get it by hand" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "layout",
    [
        "nspt15/all_judgments.xml",
        "nspt15/data/all_judgments.xml",  # git clone …/gec-ranking nspt15
        "nspt15/gec-ranking/data/all_judgments.xml",  # git clone …/gec-ranking in the folder nspt15
    ],
)
def test_layouts_of_upstream(root: Path, layout: str) -> None:
    path = put(root / layout)
    assert dataset_file("nspt15", "all_judgments.xml") == path


@pytest.mark.parametrize(
    ("name", "file", "layout"),
    [
        ("conll14", "official-2014.combined.m2", "conll14st-test-data/noalt/official-2014.combined.m2"),
        ("conll14", "systems/AMU", "data/original/official_submissions/AMU"),
        ("bryant-ng-2015", "A1.m2", "10gec_annotations/A1.m2"),
        ("jfleg-dev", "dev.src", "jfleg/dev/dev.src"),
        ("bea-dev", "ABCN.dev.gold.bea19.m2", "m2/ABCN.dev.gold.bea19.m2"),
        ("ua-gec", "gec-only.test.m2", "data/gec-only/test/gec-only.test.m2"),
    ],
)
def test_parts_of_repositories_and_unpacked_archives(root: Path, name: str, file: str, layout: str) -> None:
    path = put(root / find_dataset(name).folder / layout)
    assert dataset_file(name, file) == path


def test_our_layout_comes_first(root: Path) -> None:
    put(root / "nspt15/data/all_judgments.xml")
    path = put(root / "nspt15/all_judgments.xml")
    assert dataset_file("nspt15", "all_judgments.xml") == path


def test_a_bare_name_is_not_enough(root: Path) -> None:
    """Outputs and scores of SEEDA have the same names."""
    put(root / "seeda/BART.txt")
    with pytest.raises(InputError, match=r"BART.txt: no such file; `gecval data fetch seeda` gets it"):
        dataset_file("seeda", "outputs/BART.txt")


def test_a_file_that_must_be_got_by_hand(root: Path) -> None:
    (root / "ibgec").mkdir()
    with pytest.raises(InputError, match="no such file; `gecval data list ibgec` says how to get it"):
        dataset_file("ibgec", "gec_corrections.tsv")


def test_files_by_pattern(root: Path) -> None:
    renamed = "conll14/data/paragraphs/filtered_test.txt"  # upstream's name of the system char
    for layout in ("conll14/systems-later/JMGR", "conll14/systems-later/RoRo", renamed):
        put(root / layout)
    assert dataset_files("conll14", "systems-later/*") == {
        "JMGR": root / "conll14/systems-later/JMGR",
        "RoRo": root / "conll14/systems-later/RoRo",
        "char": root / renamed,
    }
    with pytest.raises(InputError, match=r"^the data set conll14 has no files nothing/\*$"):
        dataset_files("conll14", "nothing/*")
    with pytest.raises(InputError, match=r"^the data set conll14 has no file AMU$"):
        dataset_file("conll14", "AMU")


def toy(*files: DataFile) -> Dataset:
    return Dataset(
        name="toy", title="t", language="en", licence="l", citation="c", folder="toy", files=files, by_hand="Ask."
    )


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_check_finds_what_is_missing_different_and_unknown(tmp_path: Path) -> None:
    names = ("good.txt", "longer.txt", "changed.txt", "absent.txt")
    entry = toy(*(DataFile(name=name, sha256=sha256("abc"), bytes=3) for name in names))
    for name, text in {"good.txt": "abc", "longer.txt": "abcd", "changed.txt": "abd", "other/mine.txt": "x"}.items():
        put(tmp_path / "toy" / name, text)
    for name in ("README.md", "LICENSE", ".hidden", ".cache/mine.txt", "clone/.git/config", "clone/code.py"):
        put(tmp_path / "toy" / name)
    state = check(entry, tmp_path)
    assert {file.file.name: (file.state, file.why) for file in state.files} == {
        "good.txt": ("present", ""),
        "longer.txt": ("different", "it has 4 bytes, not 3"),
        "changed.txt": ("different", f"its sha256 is {sha256('abd')[:12]}…, not {sha256('abc')[:12]}…"),
        "absent.txt": ("missing", ""),
    }
    assert state.unknown == ("other/mine.txt",)
    assert state.state == "incomplete"
    assert [file.state for file in check(entry, tmp_path, contents=False).files] == [
        *("present", "different", "present", "missing")
    ]
    assert check(entry, tmp_path / "elsewhere").state == "absent"


def test_a_gzipped_file_is_known_by_its_content(tmp_path: Path) -> None:
    entry = toy(DataFile(name="a.xml.gz", sha256=sha256("abc"), bytes=3, unpacked=True))
    path = put(tmp_path / "toy/a.xml.gz")
    for level in (1, 9):
        path.write_bytes(gzip.compress(b"abc", level, mtime=level))
        assert check(entry, tmp_path).state == "complete"
    path.write_bytes(gzip.compress(b"abd"))
    assert [file.state for file in check(entry, tmp_path).files] == ["different"]
    for broken in (b"no gzip", gzip.compress(b"abc")[:-9], b"\x1f\x8b\x08\x00garbled"):
        path.write_bytes(broken)
        [file] = check(entry, tmp_path).files
        assert file.state == "different"
        assert file.why.startswith("it cannot be read: ")


def test_a_file_without_a_known_hash_is_counted(tmp_path: Path) -> None:
    entry = toy(DataFile(name="dev.m2", sentences=2))
    path = put(tmp_path / "toy/dev.m2", "S a b\nA 0 1|||R|||S x|||REQUIRED|||-NONE-|||0\n\nS c\n")
    assert check(entry, tmp_path).state == "complete"
    put(path, "S a\n")
    [file] = check(entry, tmp_path).files
    assert (file.state, file.why) == ("different", "it has 1 sentences, not 2")


def test_results_say_everything(root: Path) -> None:
    put(root / "nspt15/data/all_judgments.xml", "not it")
    put(root / "nspt15/mine.txt")
    card = dataset_card("nspt15")
    assert (card.state, card.licence, card.unknown) == ("incomplete", "none stated", ("mine.txt",))
    assert {file.name: file.state for file in card.files} == {
        "all_judgments.csv": "missing",
        "all_judgments.xml": "different",
    }
    assert card.notes == (
        f"{root}/nspt15/data/all_judgments.xml is not the registered file: it has 6 bytes, not 420,786",
        "all_judgments.csv of nspt15 missing: `gecval data fetch nspt15` gets the rest",
        f"mine.txt in {root}/nspt15: not known to the registry",
    )
    assert [(file.path, file.address is None) for file in card.files] == [
        (None, False),
        (f"{root}/nspt15/data/all_judgments.xml", False),
    ]
    rows = {row.name: row for row in list_datasets().datasets}
    assert rows["nspt15"].state == "incomplete"
    assert rows["gug"].state == "absent"
    assert (rows["bea-dev"].by_hand, rows["bea-dev"].files) == (1, 1)
    assert str(list_datasets()).count("\n") > len(rows)


def test_a_set_of_which_a_part_must_be_got_by_hand(sets: Path, root: Path) -> None:
    by_hand = {"how": "Ask for it.", "files": [{"name": f"{n}.m2", "sentences": 1} for n in range(4)]}
    (sets / "half.json").write_text(json.dumps(facts({"a.txt": b"a\n", "b.txt": b"b\n"}) | {"by_hand": by_hand}))
    catalog.datasets.cache_clear()
    asked = "{} of half must be got by hand. Ask for it."
    absent = dataset_card("half")
    assert absent.notes == (asked.format("0.m2, 1.m2, 2.m2 and 1 more"),)
    assert (absent.state, absent.can_fetch) == ("absent", True)
    put(root / "half/0.m2", "S a\n")
    put(root / "half/a.txt", "A\n")  # as long as the registered file, and another
    [row] = [row for row in list_datasets().datasets if row.name == "half"]
    assert (row.files, row.by_hand, row.bytes, row.state) == (6, 4, 4, "incomplete")
    put(root / "half/b.txt", "b\n")
    card = dataset_card("half")
    assert card.can_fetch is False
    assert [file.name for file in card.list_files("different")] == ["a.txt"]
    assert [(file.path, file.address is None) for file in card.files][1:4] == [
        (f"{root}/half/b.txt", False),
        (f"{root}/half/0.m2", True),
        (None, True),
    ]
    assert card.notes[-1] == asked.format("1.m2, 2.m2, 3.m2")
    for n in (1, 2, 3):
        put(root / f"half/{n}.m2", "S a\n")
    [row] = [row for row in list_datasets().datasets if row.name == "half"]
    assert row.state == "complete"  # by names and sizes alone
    assert dataset_card("half").state == "incomplete"
