"""--backend and --checkpoint of the five verbs that have them, as typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gecval.studies.reproduce.result import Figure, PaperItem, PaperTable
from ways import MAEGE, write_small_files

SYSTEMS = "good.txt copy.txt wild.txt"
# A command, and another one that its checkpoint does not fit.
VERBS = {
    "maege": (f"{MAEGE} --replicates 2", f"{MAEGE} --seed 2"),
    "coverage": (
        "coverage crowd.tsv -m gleu --references 2 --sentences 20 --correct 2 --resamples 20",
        "coverage crowd.tsv -m gleu --references 2 --sentences 20 --correct 3 --resamples 20",
    ),
    "coverage -r": (
        f"coverage {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt -m gleu",
        f"coverage {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt -m gleu --ci",
    ),
    "human": (
        "human judged.jsonl --systems good.txt --systems copy.txt --systems wild.txt -s src.txt -r ref0.txt -m gleu"
        " --without INPUT --resamples 20 --runs 2",
        "human judged.jsonl --resamples 20 --runs 2",
    ),
    "validate": (
        "validate -m ld --systems good.txt -r gold.m2 --replicates 1",
        "validate -m ld --systems copy.txt -r gold.m2 --replicates 1",
    ),
}
SAYS_OTHER = "kept belongs to a study with other settings, metrics or data; choose another file (option --checkpoint)"


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    write_small_files(folder)


def shown(out: str) -> Any:
    """The result, without the time that it took."""
    result = json.loads(out)
    for card in result.get("cards", []):
        card["measured"] = {name: value for name, value in card["measured"].items() if not name.endswith("seconds")}
    return result


def timeless(line: str) -> str:
    return line if "seconds" not in line else json.dumps(json.loads(line)["chunk"])


@pytest.mark.parametrize("verb", VERBS)
def test_the_same_in_processes_and_from_a_checkpoint(gecval, refused, folder: Path, verb: str) -> None:
    command, other = (f"{line} --format json" for line in VERBS[verb])
    here = gecval(command)
    assert here.status == 0
    there = gecval(f"{command} --backend processes:2 --checkpoint kept")
    assert (there.status, there.err) == (0, here.err)
    assert shown(there.out) == shown(here.out)
    header, *chunks = (folder / "kept").read_text().splitlines()
    assert len(chunks) > 1
    (folder / "kept").write_text(f"{header}\n{chunks[-1]}\n")
    assert shown(gecval(f"{command} --checkpoint kept").out) == shown(here.out)
    again = (folder / "kept").read_text().splitlines()[1:]
    assert sorted(map(timeless, again)) == sorted(map(timeless, chunks))
    assert refused(f"{other} --checkpoint kept") == SAYS_OTHER


@pytest.mark.parametrize("verb", VERBS)
def test_refusals(answered, refused, verb: str) -> None:
    command, _ = VERBS[verb]
    said = "'moon' is no backend: write processes, processes:8, dask://host:port or ray://host:port (option --backend)"
    assert refused(f"{command} --backend moon") == said
    if "coverage" not in verb:
        assert answered(f"{command} --backend processes --jobs 2") == (
            "note: --jobs changes nothing with --backend, which has its own workers"
        )


def test_where_there_are_no_chunks_both_are_refused(answered, refused, folder: Path) -> None:
    alone = "coverage -s src.txt -r ref0.txt -r ref1.txt --backend processes"
    assert answered(alone) == "note: --backend changes nothing without the outputs of systems"
    (folder / "hist.txt").write_text("frequency\t# of variants\n0.5\t1\n0.25\t2\n")
    assert answered("coverage hist.txt --checkpoint kept") == "note: --checkpoint changes nothing for histograms"
    assert answered("reproduce --checkpoint kept --backend processes") == (
        "note: --checkpoint and --backend change nothing without PAPER"
    )


class Papers:
    """A paper of two parts, the second of which fails as long as there is no file ``ready``."""

    ITEMS = (PaperItem("second", "", part="second"), PaperItem("first", "", part="first"))

    def __init__(self) -> None:
        self.asked: list[str] = []

    def parts(self) -> dict[str, Any]:
        return {"first": lambda progress: self._table("first"), "second": lambda progress: self._table("second")}

    def _table(self, title: str) -> list[PaperTable]:
        self.asked.append(title)
        if title == "second" and not Path("ready").exists():
            raise KeyboardInterrupt
        figure = Figure(published=2, ours=0.1 + 0.2)
        return [PaperTable(title=title, columns=("r",), rows={"gleu": {"r": figure}}, notes=("é",))]


def test_reproduce_goes_on_where_it_was(gecval, refused, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Papers()
    monkeypatch.setattr("gecval.studies.reproduce.study.PaperParts._module", lambda self: made)
    monkeypatch.setattr("gecval.studies.reproduce.study.need_datasets", lambda names: None)
    assert gecval("reproduce human --checkpoint kept --format json").status != 0
    (folder / "ready").touch()
    status, out, err = gecval("reproduce human --checkpoint kept --format json")
    assert status == 0, err
    assert made.asked == ["first", "second", "second"]
    tables = json.loads(out)["tables"]
    assert [table["title"] for table in tables] == ["second", "first"]
    assert json.dumps(tables[1]["rows"]["gleu"]["r"]) == (
        '{"published": 2, "ours": 0.30000000000000004, "interval": null}'
    )
    assert gecval("reproduce human --checkpoint kept --format json").out == out
    assert made.asked == ["first", "second", "second"]
    assert refused("reproduce maege --checkpoint kept") == SAYS_OTHER
    assert refused("reproduce human --backend moon").startswith("'moon' is no backend")
