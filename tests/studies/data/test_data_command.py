"""gecval data as typed: what is listed, what fetching shows first, and what is refused."""

import json

import pytest

from gecval.formats.datasets import fetching, find_dataset
from mirror import serve


@pytest.fixture
def root(folder, monkeypatch):
    monkeypatch.setenv("GECVAL_DATA", str(folder / "data"))
    return folder / "data"


@pytest.fixture
def mirror(root, monkeypatch):
    """A server that has nothing of the real files yet."""
    with serve() as mirror:
        monkeypatch.setenv("GECVAL_MIRROR", mirror.address)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        monkeypatch.setattr(fetching, "PAUSES_S", (0.0,))
        yield mirror


def offer(mirror, data, name):
    """Let the mirror have the real files of a set."""
    entry = find_dataset(name)
    for file in entry.fetched:
        path = f"/{file.origin.repository}/{file.origin.commit}/{file.origin.path}"
        mirror.files[path] = (data / entry.folder / file.name).read_bytes()


def test_the_list(gecval, root):
    status, out, err = gecval("data list")
    assert (status, err) == (0, "")
    [line] = [line for line in out.splitlines() if line.strip().startswith("jfleg-dev ")]
    assert line.split()[:5] == ["jfleg-dev", "absent", "en", "0.4", "MB"]
    assert "CC BY-NC-SA 4.0" in line
    assert f"Data folder: {root}" in out


def test_the_list_as_json(gecval, root):
    printed = gecval("data list --format json").json
    assert printed["schema"] == "gecval.datasets/1"
    assert printed["folder"] == str(root)
    [row] = [row for row in printed["datasets"] if row["name"] == "gug"]
    assert row == {
        "name": "gug",
        "title": "GUG: 3,129 learner sentences with ordinal judgments of grammaticality",
        "language": "en",
        "licence": "CC BY-NC-SA 4.0",
        "files": 1,
        "bytes": 425704,
        "by_hand": 0,
        "state": "absent",
        "folder": f"{root}/gug",
    }


def test_one_set(gecval, root):
    status, out, err = gecval("data list bea-dev")
    assert (status, err) == (0, "")
    for part in (
        "research and education only",
        "Bryant, Felice, Andersen and Briscoe 2019",
        "put m2/ABCN.dev",
        "absent",
    ):
        assert part in out


def test_one_set_for_programs(gecval, root):
    printed = gecval("data list nspt15 --format json").json
    assert printed["schema"] == "gecval.dataset/1"
    assert [file["address"].rpartition("/")[2] for file in printed["files"]] == [
        "all_judgments.csv",
        "all_judgments.xml",
    ]
    _, out, _ = gecval("data list nspt15 --format tsv")
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert header == ["file", "state", "bytes", "sha256", "address", "path"]
    assert [row[:3] for row in rows] == [
        ["all_judgments.csv", "missing", "1259461"],
        ["all_judgments.xml", "missing", "420786"],
    ]


def test_the_licence_comes_before_the_data(gecval, root, mirror):
    status, out, err = gecval("data fetch gug")
    assert status == 2
    for part in (
        "licence",
        "CC BY-NC-SA 4.0",
        "cite",
        "Heilman",
        "github.com/EducationalTestingService/gug-data@5f2c5c0",
    ):
        assert part in out
    assert err.startswith("gecval: http://127.0.0.1")
    assert err.endswith("gug_annotations.tsv: 404 Not Found: the file is no longer there\n")
    assert err.count("\n") == 1


def test_fetching_a_real_set(gecval, root, mirror, data):
    offer(mirror, data, "gug")
    status, out, err = gecval("data fetch gug")
    assert (status, err) == (0, "")
    assert out.endswith(f"\ngug is complete: {root}/gug\n")
    status, out, err = gecval("data fetch gug")
    assert (status, out, err) == (0, f"gug is complete: {root}/gug\n", "")
    assert len(mirror.requests) == 1
    status, out, err = gecval("data where gug")
    assert (status, out, err) == (0, f"{root}/gug\n", "")


def test_what_remains_to_be_got_by_hand(gecval, root, mirror, data):
    offer(mirror, data, "references")
    status, out, err = gecval("data fetch references")
    assert status == 0
    assert out.endswith(f"\nreferences is incomplete: {root}/references\n")
    assert err.startswith("gecval: note: NUCLE.ieval.xml.gz, BN.ieval.xml.gz of references must be got by hand. ")


def test_where_something_is_wrong(gecval, root):
    (root / "gug").mkdir(parents=True)
    (root / "gug/gug_annotations.tsv").write_text("mine\n")
    status, out, err = gecval("data where gug")
    assert (status, out) == (0, f"{root}/gug\n")
    assert err == (
        f"gecval: note: {root}/gug/gug_annotations.tsv is not the registered file: it has 5 bytes, not 425,704\n"
    )
    status, out, _ = gecval("data where gug --format json")
    assert json.loads(out)["files"][0]["state"] == "different"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("data where gug", "`gecval data fetch gug`, or set GECVAL_DATA"),
        ("data where gugs", "no data set 'gugs'; did you mean gug?"),
        ("data fetch gug nothing-like-it", "no data set 'nothing-like-it'; `gecval data list` shows what there is"),
        ("data fetch ../gug", "no data set '../gug'; did you mean gug?"),
        ("data fetch bea-dev", "bea-dev must be got by hand: "),
        ("data list xyzzy", "no data set 'xyzzy'"),
        ("data fetch", "name what to fetch: attacks, bryant-ng-2015, "),
        ("data lose gug", "no command 'lose'; gecval data --help lists all of them"),
    ],
)
def test_refusals(refused, root, line, message):
    assert message in refused(line)


def test_a_different_file_is_refused_and_stays(gecval, root, mirror):
    (root / "gug").mkdir(parents=True)
    (root / "gug/gug_annotations.tsv").write_text("mine\n")
    status, out, err = gecval("data fetch gug")
    assert (status, out) == (2, "")
    assert "gug_annotations.tsv is not the file that gug has (it has 5 bytes, not 425,704); move it away" in err
    assert (root / "gug/gug_annotations.tsv").read_text() == "mine\n"
    assert mirror.requests == []


def test_alone_it_shows_its_help(gecval):
    status, out, err = gecval("data")
    assert (status, err) == (0, "")
    assert "gecval data fetch conll14 gjg15" in out
