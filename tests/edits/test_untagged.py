"""Edits over words without tags against MultiGEC's fork of ERRANT: its M2 files, and its scores."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from gecval import Corpus, Edit, load_corpus, load_systems, score
from gecval.corpus.edit import apply_edits
from gecval.edits.errant import UntaggedExtractor, untagged_edits

pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")


def unpacked(path: Path, folder: Path) -> Path:
    target = folder / path.stem
    target.write_bytes(gzip.decompress(path.read_bytes()))
    return target


@pytest.mark.parametrize("name", ["fork-it", "fork-sv", "fork-de-nelb", "fork-uk-essays.ref12"])
def test_edits_are_those_of_the_fork(golden: Path, tmp_path: Path, name: str) -> None:
    """Spans and corrections; the fork's types mean nothing. Its own edits lead to the corrected texts."""
    corpus = load_corpus(None, [unpacked(golden / f"multi/errant/{name}.blank.m2.gz", tmp_path)])
    edits = [reference.edits or () for listed in corpus.references for reference in listed]
    sources = [source for source, listed in zip(corpus.sources, corpus.references, strict=True) for _ in listed]
    corrected = [apply_edits(source.split(), found) for source, found in zip(sources, edits, strict=True)]
    mine = UntaggedExtractor().edits(list(zip(sources, corrected, strict=True)))
    assert [[(e.start, e.end, e.correction) for e in found] for found in mine] == [
        [(e.start, e.end, e.correction) for e in found] for found in edits
    ]
    assert sum(map(len, edits)) > 1000


@pytest.mark.parametrize(("level", "flag"), [("correction", "-cs"), ("detection", "-ds")])
def test_scores_of_german(data: Path, golden: Path, level: str, flag: str) -> None:
    scores = json.loads((golden / "multi/errant/fork_scores.json").read_text())["scores"]
    corpus = load_corpus(None, [data / "multi/de/falko-merlin/fm-test.m2"])
    outputs = (data / "multi/de/systems/nelb.tok").read_text("utf-8").splitlines()
    [made] = score(corpus, {"nelb": outputs}, [f'errant(model="multigec", level="{level}")'])
    parts = made.parts
    values = [parts["tp"], parts["fp"], parts["fn"], parts["precision"], parts["recall"], made.score]
    assert [round(value, 4) for value in values] == scores[f"de-nelb vs human gold {flag}"]
    assert "|multigec|errant:3" in made.signature


@pytest.mark.parametrize(("level", "flag"), [("correction", "-cs"), ("detection", "-ds")])
def test_scores_of_ukrainian_essays(data: Path, golden: Path, level: str, flag: str) -> None:
    """MultiGEC's essays, cut by syntok; the third annotator is the system."""
    pytest.importorskip("syntok", reason="needs the extra: pip install 'gecval[multigec]'")
    expected = json.loads((golden / "multi/errant/fork_scores.json").read_text())
    files = [data / f"multi/multigec-format/uk-ua_gec-{name}-sample.md" for name in ("orig", "ref1", "ref2", "ref3")]
    corpus = load_corpus(files[0], files[1:3])
    [system] = load_systems([files[3]], corpus)
    few = expected["uk essays"]
    part = Corpus([corpus.sources[i] for i in few], [corpus.references[i] for i in few])
    outputs = {"ref3": [system.hypotheses[i] for i in few]}
    [made] = score(part, outputs, [f'errant(model="multigec", level="{level}")'])
    values = [*(made.parts[name] for name in ("tp", "fp", "fn", "precision", "recall")), made.score]
    assert [round(value, 4) for value in values] == expected["scores"][f"uk-essays hyp=ref3 refs=1,2 {flag}"]


def test_types_say_what_happens() -> None:
    assert untagged_edits("Wir gehen nach Haus", "Wir geht jetzt nach Haus") == (Edit(1, 2, ("geht jetzt",), "R"),)
    assert untagged_edits("a b", "a") == (Edit(1, 2, ("",), "U"),)
    assert untagged_edits("a", "a b") == (Edit(1, 1, ("b",), "M"),)
    assert untagged_edits("", "") == ()


def test_it_reads_any_language() -> None:
    corpus = Corpus.from_texts(["Він пішов додому ."], [["Він пішла додому ."]], language="uk")
    [made] = score(corpus, {"x": ["Він пішла додому ."]}, ['errant(model="multigec")'])
    assert made.score == 1.0
    assert "lang:" not in made.signature
