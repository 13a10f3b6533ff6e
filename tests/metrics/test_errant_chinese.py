"""errant(lang="zh") against ChERRANT's scorer on MuCGEC's development set, under all of its options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gecval import Corpus, Edit, InputError, Reference, annotate, load_corpus, load_systems, score
from gecval.edits.cherrant.extractor import NOT_AN_EDIT, CherrantExtractor
from gecval.metrics.errant import Errant
from gecval.studies.scores.preparation import prepare

pytest.importorskip("pypinyin", reason="needs the extra: pip install 'gecval[zh]'")
pytest.importorskip("opencc", reason="needs the extra: pip install 'gecval[zh]'")


class MuCGEC:
    """The development set, and the published output."""

    def __init__(self, data: Path, golden: Path) -> None:
        folder = data / "multi/zh/mucgec-dev"
        rows = [line.split("\t") for line in (folder / "MuCGEC_dev.txt").read_text("utf-8").strip().split("\n")]
        outputs = (folder / "example_pred_dev.txt").read_text("utf-8").strip().split("\n")
        self.sources = [row[1] for row in rows]
        self.references = [row[2:] for row in rows]
        self.outputs = [line.split("\t")[2] for line in outputs]
        self.resources = str(data / "multi/zh/resources")
        self.golden: dict[str, Any] = json.loads((golden / "multi/cherrant/scores.json").read_text())

    def part(self, sentences: range | list[int], most: int | None = None) -> tuple[Corpus, list[str]]:
        corpus = Corpus.from_texts([self.sources[i] for i in sentences], [self.references[i][:most] for i in sentences])
        return corpus, [self.outputs[i] for i in sentences]

    def counts(self, corpus: Corpus, outputs: list[str], **parameters: Any) -> list[float]:
        errant = Errant(lang="zh", resources=self.resources, **parameters)
        [made] = score(corpus, {"example": outputs}, [errant])
        parts = made.parts
        values = [parts["tp"], parts["fp"], parts["fn"], parts["precision"], parts["recall"], made.score]
        return [round(value, 4) for value in values]


@pytest.fixture(scope="module")
def mucgec(data: Path, golden: Path) -> MuCGEC:
    return MuCGEC(data, golden)


def golden_row(row: dict[str, float]) -> list[float]:
    return [row[name] for name in ("tp", "fp", "fn", "p", "r", "f")]


def test_the_published_score(mucgec: MuCGEC) -> None:
    """And the other ways to read several alignments."""
    whole = mucgec.part(range(1137))
    expected = mucgec.golden["alignments read otherwise (our own recount, not the tool)"]
    assert mucgec.counts(*whole) == expected["pooled (= tool)"]
    assert mucgec.counts(*whole, alignments="first") == expected["first alignment only (= -s first)"]
    assert mucgec.counts(*whole, alignments="best") == expected["best alignment"]


@pytest.mark.parametrize(
    ("option", "parameters"),
    [
        ("default", {}),
        ("-cse", {"level": "classification"}),
        ("-ds", {"level": "detection"}),
        ("-filt S M", {"ignore": ("S", "M")}),
        ("-filt W", {"ignore": ("W",)}),
        ("-single", {"size": "single"}),
    ],
)
def test_options(mucgec: MuCGEC, option: str, parameters: dict[str, Any]) -> None:
    assert mucgec.counts(*mucgec.part(range(1137)), **parameters) == golden_row(mucgec.golden["options"][option])


def test_parts_of_the_corpus(mucgec: MuCGEC) -> None:
    options = mucgec.golden["options"]
    assert options["-multi_hyp_max"] == options["default"]  # the tool accepts it, and does nothing
    for most in (1, 2):
        part = mucgec.part(range(1137), most)
        assert mucgec.counts(*part) == golden_row(options[f"--max_answer_num {most}"])
        alone = [i for i, references in enumerate(mucgec.references) if len(references) == most]
        assert mucgec.counts(*mucgec.part(alone)) == golden_row(options[f"--reference_num {most}"])
    for start, end in ((0, 300), (300, 1137)):
        part = mucgec.part(range(start, end))
        assert mucgec.counts(*part) == golden_row(options[f"--start {start} --end {end}"])


def test_types(mucgec: MuCGEC) -> None:
    corpus, outputs = mucgec.part(range(1137))
    errant = Errant(lang="zh", resources=mucgec.resources)
    system = corpus.system("example", outputs)
    [seen] = prepare(corpus, [system], [errant])
    by_type = errant.counts_by_type(seen, system, errant.statistics(seen, system)).items()
    assert {kind: counts.statistics.rows.sum(axis=0).tolist() for kind, counts in by_type} == mucgec.golden[
        "by type (tp fp fn)"
    ]


def test_the_tools_gold_against_itself(golden: Path) -> None:
    """Its scorer tries every annotator as the hypothesis, and takes the one with most edits: all of them are right."""
    file = golden / "multi/cherrant/MuCGEC_dev.ref.m2.char.gz"
    corpus = load_corpus(None, [file])
    expected = json.loads((golden / "multi/cherrant/scores.json").read_text())["gold against itself"]
    most = [max((reference.edits or () for reference in listed), key=len) for listed in corpus.references]
    [made] = score(corpus, [corpus.system("gold", corpus.sources, edits=most)], ["errant"])
    values = [*(made.parts[name] for name in ("tp", "fp", "fn", "precision", "recall")), made.score]
    assert values == expected


@pytest.mark.parametrize(
    ("size", "counts"), [("any", [1084, 1635, 3003]), ("single", [942, 1286, 2072]), ("multi", [152, 342, 673])]
)
def test_the_tools_own_edits(golden: Path, size: str, counts: list[int]) -> None:
    """Edits in files count by ChERRANT's rules too. Its -multi leaves out the mark NA, so such sentences count."""
    folder = golden / "multi/cherrant"
    corpus = load_corpus(None, [folder / "MuCGEC_dev.ref.m2.char.gz"])
    systems = load_systems([folder / "example_pred_dev.hyp.m2.char.gz"], corpus)
    for metric in (f'errant(size="{size}")', f'errant(lang="zh", size="{size}")'):
        [made] = score(corpus, systems, [metric])
        assert [made.parts[name] for name in ("tp", "fp", "fn")] == counts


def test_the_extractor_and_the_metric_have_one_default(mucgec: MuCGEC) -> None:
    """Annotating first gives the score that the metric gives."""
    corpus, outputs = mucgec.part(range(1137))
    extractor = CherrantExtractor(resources=mucgec.resources)
    annotated = annotate(corpus, extractor)
    mine = annotate(Corpus.from_texts(corpus.sources, [[output] for output in outputs]), extractor)
    edits = [listed[0].edits or () for listed in mine.references]
    [made] = score(annotated, [annotated.system("example", annotated.sources, edits=edits)], ["errant"])
    assert [made.parts[name] for name in ("tp", "fp", "fn")] == [1084, 1635, 3003]


def test_the_demo_in_words(data: Path, golden: Path) -> None:
    """The M2 files that the tool ships for words, edits as they are. In one sentence their sources differ."""
    folder = data / "multi/zh/cherrant-demo"
    expected = json.loads((golden / "multi/cherrant/scores.json").read_text())["demo word (shipped M2 files)"]
    gold, mine = (load_corpus(None, [folder / f"demo.{name}.m2.word"]) for name in ("ref", "hyp"))
    corpus = Corpus(mine.sources, gold.references)
    edits = [listed[0].edits or () for listed in mine.references]
    [made] = score(corpus, [corpus.system("demo", corpus.sources, edits=edits)], ["errant"])
    values = [*(made.parts[name] for name in ("tp", "fp", "fn", "precision", "recall")), made.score]
    assert [round(value, 4) for value in values] == expected


def test_the_demo(data: Path, golden: Path) -> None:
    """The M2 files that the tool ships. In one sentence their sources differ, and its scorer does not look at them."""
    folder = data / "multi/zh/cherrant-demo"
    expected = json.loads((golden / "multi/cherrant/scores.json").read_text())["demo char"]
    gold, mine = (load_corpus(None, [folder / f"demo.{name}.m2.char"]) for name in ("ref", "hyp"))
    corpus = Corpus(mine.sources, gold.references)
    outputs = (folder / "demo.hyp").read_text("utf-8").strip().split("\n")
    errant = Errant(lang="zh", resources=str(data / "multi/zh/resources"))
    [made] = score(corpus, {"demo": outputs}, [errant])
    values = [*(made.parts[name] for name in ("tp", "fp", "fn", "precision", "recall")), made.score]
    assert [round(value, 4) for value in values] == expected


NA = Reference(edits=(NOT_AN_EDIT,))


@pytest.mark.parametrize(
    ("output", "references", "counts"),
    [
        ("他好", [NA], [0, 0, 0]),
        ("他很坏", [NA], [0, 0, 0]),  # skipped, whatever the output
        ("他好", [NA, NA], [0, 0, 0]),
        ("他很好", [NA, NA], [0, 1, 1]),
        ("他很好", [NA, Reference(edits=(Edit(1, 1, ("很",), "M"),))], [1, 0, 0]),
        ("他好", [NA, Reference(edits=(Edit(1, 1, ("很",), "M"),))], [0, 0, 0]),
    ],
)
def test_sentences_that_cannot_be_annotated(output: str, references: list[Reference], counts: list[int]) -> None:
    corpus = Corpus(["他 好"], [references])
    [made] = score(corpus, {"x": [output]}, ["errant(lang='zh')"])
    assert [made.parts[name] for name in ("tp", "fp", "fn")] == counts


def test_signature_and_language() -> None:
    corpus = Corpus.from_texts(["他好。"], [["他很好。"]])
    [made] = score(corpus, {"x": ["他很好"]}, ['errant(lang="zh", alignments="first")'])
    fields = made.signature.split("|")
    assert fields[:5] == ["errant", "beta:0.5", "level:correction", "size:any", "ignore:()"]
    assert "lang:zh" in fields
    assert "cherrant" in fields
    assert "alignments:first" in fields
    assert not any(field.startswith("model:") for field in fields)
    english = Corpus.from_texts(["This is the text that we have in English , and it is not so short as it was ."] * 3)
    with pytest.raises(InputError, match="errant judges Chinese only, and the source looks English"):
        Errant(lang="zh").check(english)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"lang": "Chinese"}, "lang is a code such as zh"),
        ({"alignments": "first"}, 'go with lang="zh"'),
        ({"resources": "here"}, 'go with lang="zh"'),
        ({"lang": "zh", "alignments": "last"}, "alignments must be one of pooled, first, best"),
        ({"lang": "zh", "model": "plain"}, "there is no model, no parse and no word list to choose"),
    ],
)
def test_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Errant(**parameters)
