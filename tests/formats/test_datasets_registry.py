"""The registry of data sets: complete facts, names that stay inside their folders, hashes of the real files."""

import re
from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.formats.datasets import DataFile, check, datasets, find_dataset
from gecval.formats.datasets.catalog import Recipe, Upstream, parse_dataset
from gecval.formats.datasets.fetching import RULES
from real_data import WANT

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
    assert [(file.file.name, file.why) for file in state.having("different")] == []
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
