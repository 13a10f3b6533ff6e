"""ERRANT's edits: goldens of the errant command, the cache, several processes, and input of any kind."""

import gzip
import os
from itertools import chain
from pathlib import Path

import pytest

from gecval import Edit, InputError, load_corpus, load_systems
from gecval.corpus.edit import apply_edits
from gecval.edits import errant
from gecval.edits.annotate import annotate
from gecval.edits.errant import ErrantExtractor
from gecval.formats import read_m2
from gecval.models import spacy_parser
from gecval.runtime.run import Run


@pytest.fixture
def extractor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ErrantExtractor:
    """With an empty cache."""
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))
    try:
        ErrantExtractor().signature  # noqa: B018
    except InputError as error:
        pytest.skip(str(error))
    return ErrantExtractor()


def edits_of(path: Path, folder: Path) -> list[list[tuple[Edit, ...] | None]]:
    unpacked = folder / path.stem
    unpacked.write_bytes(gzip.decompress(path.read_bytes()))
    return [[reference.edits for reference in references] for references in read_m2(unpacked).references()]


def test_edits_are_those_of_the_errant_command(
    extractor: ErrantExtractor, data: Path, golden: Path, tmp_path: Path
) -> None:
    """Two references and 13 outputs, 1312 sentences each."""
    corpus = load_corpus(data / "conll14/source.txt", [data / "references/NUCLEA", data / "references/NUCLEB"])
    systems = load_systems([data / "conll14/systems"], corpus)
    annotated = annotate(corpus, extractor, systems=systems, run=Run(jobs=os.cpu_count() or 1))
    edits = [[reference.edits for reference in references] for references in annotated.references]
    assert edits == edits_of(golden / "errant/nucle2_ref.m2.gz", tmp_path)
    assert len(systems) == 13
    for system in systems:
        extracted = extractor.edits(list(zip(corpus.sources, system.hypotheses, strict=True)))
        assert [[edits] for edits in extracted] == edits_of(golden / f"errant/hyp_{system.name}.m2.gz", tmp_path), (
            system.name
        )


WORD = "sentence"
LONG = " ".join(f"{WORD}{i % 7} of the" for i in range(170)) + " end"
PAIRS = [
    ("He go home .", "He goes home ."),
    ("", ""),
    ("", "Something new ."),
    ("Something old .", ""),
    ("a  b", "a b"),
    (LONG, LONG.replace("sentence3", "phrase")),
    (LONG, " ".join(LONG.split()[::-1])),
    ("I am happy 😀 😀 !", "I am very happy 🎉 !"),
    ("שלום עולם טוב", "שלום לעולם טוב"),
    ("bell \x07 and null\x00 here", "bell and null\x00\x00 here"),
    ("line\u2028separator\x85and\x1ftabs\there", "line separator and tab here"),
    ("same same same", "same same"),
    ("||| and -NONE-", "and ||| -NONE-"),
]


def test_edits_of_any_input_lead_to_the_corrected_text(extractor: ErrantExtractor) -> None:
    extracted = extractor.edits(PAIRS)
    assert len(extracted) == len(PAIRS)
    for (source, corrected), edits in zip(PAIRS, extracted, strict=True):
        assert apply_edits(source.split(), edits) == " ".join(corrected.split())
        assert bool(edits) == (source.split() != corrected.split())
        assert all(edit.type[:2] in ("M:", "R:", "U:") for edit in edits)
    assert extracted[0] == (Edit(1, 2, ("goes",), "R:VERB:SVA"),)


def test_half_of_a_surrogate_pair_is_refused(extractor: ErrantExtractor) -> None:
    with pytest.raises(InputError, match="surrogate"):
        extractor.edits([("a \ud800", "a")])


def test_a_second_run_asks_neither_spacy_nor_errant(
    extractor: ErrantExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = extractor.edits(PAIRS)
    monkeypatch.setattr(errant, "_extract", None)
    monkeypatch.setattr(spacy_parser, "_parse", None)
    assert ErrantExtractor().edits(PAIRS[::-1]) == first[::-1]


def test_a_corrupt_cache_changes_nothing(extractor: ErrantExtractor, tmp_path: Path) -> None:
    first = extractor.edits(PAIRS)
    for file in (tmp_path / "cache").iterdir():
        file.write_bytes(b"no database" * 500)
    assert ErrantExtractor().edits(PAIRS) == first


def test_several_processes_find_the_same(extractor: ErrantExtractor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errant, "WORTH_PROCESSES", 1)
    monkeypatch.setattr(errant, "BLOCK", 4)
    ticks: list[tuple[int, int]] = []
    parallel = extractor.edits(PAIRS, run=Run(jobs=2, progress=lambda done, total: ticks.append((done, total))))
    assert ticks == [(4, 11), (8, 11), (11, 11)]
    monkeypatch.setenv("GECVAL_CACHE", os.environ["GECVAL_CACHE"] + "-other")
    assert parallel == extractor.edits(PAIRS)


def test_each_sentence_is_parsed_once(extractor: ErrantExtractor, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many systems and references share it."""
    asked: list[str] = []
    parse = spacy_parser._parse

    def counting(package: str, sentences: list[str]) -> list[str]:
        asked.extend(sentences)
        return parse(package, sentences)

    monkeypatch.setattr(spacy_parser, "_parse", counting)
    monkeypatch.setattr(errant, "BLOCK", 2)
    sources = ["one two", "three four"]
    for outputs in (["one", "three"], ["two", "three"], ["two", "four"]):
        extractor.edits(list(zip(sources, outputs, strict=True)))
    assert sorted(asked) == sorted(set(chain(sources, ["one", "two", "three", "four"])))


def test_the_signature_names_all_versions(extractor: ErrantExtractor) -> None:
    assert extractor.signature.startswith("errant:")
    assert "|spacy:" in extractor.signature
    assert "|en_core_web_sm" in extractor.signature


def test_the_rules_are_for_english_and_load_no_model(extractor: ErrantExtractor) -> None:
    rules = errant._rules()
    assert (rules.lang, rules.nlp) == ("en", None)
