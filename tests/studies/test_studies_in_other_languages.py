"""MAEGE, coverage, reports and cards in Czech, Ukrainian, Arabic and Chinese, on small pieces of real corpora."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gecval import (
    Corpus,
    InputError,
    Resampling,
    annotate,
    explain,
    load_corpus,
    maege,
    reference_coverage,
    score,
    validate,
)
from gecval.studies.report.page import write_page
from gecval.studies.report.study import overview

Piece = tuple[Corpus, dict[str, list[str]]]
FEW = 60


def part(path: Path, outputs: Path, *, most: int = FEW, annotators: int = 2) -> Piece:
    """The first sentences with so many annotators."""
    corpus = load_corpus(None, [path])
    texts = outputs.read_text("utf-8").splitlines()
    chosen = [i for i in range(len(corpus)) if len(corpus.references[i]) >= annotators][:most]
    listed = [corpus.references[i][:annotators] for i in chosen]
    small = replace(corpus, sources=[corpus.sources[i] for i in chosen], references=listed, notes=())
    return small, {"output": [texts[i] for i in chosen]}


def czech(data: Path) -> Piece:
    return part(data / "multi/cs/geccc-test/sentence.m2.gz", data / "multi/cs/systems/nelb.tok")


def ukrainian(data: Path) -> Piece:
    folder = data / "multi/uk/unlp-2023/gec-only"
    return part(folder / "valid.m2", folder / "hyp/annotator1.tok")


def arabic(data: Path) -> Piece:
    folder = data / "multi/ar"
    return part(folder / "zaebuc/zaebuc_dev.m2", folder / "systems/dev/bart.txt", most=6, annotators=1)


def chinese(data: Path) -> Piece:
    pytest.importorskip("pypinyin", reason="needs the extra: pip install 'gecval[zh]'")
    pytest.importorskip("opencc", reason="needs the extra: pip install 'gecval[zh]'")
    folder = data / "multi/zh/mucgec-dev"
    rows = [line.split("\t") for line in (folder / "MuCGEC_dev.txt").read_text("utf-8").split("\n")[:FEW]]
    outputs = [line.split("\t")[2] for line in (folder / "example_pred_dev.txt").read_text("utf-8").split("\n")[:FEW]]
    chosen = [i for i, row in enumerate(rows) if len(row) >= 4]
    texts = [[rows[i][1] if text == "没有错误" else text for text in rows[i][2:4]] for i in chosen]
    corpus = Corpus.from_texts([rows[i][1] for i in chosen], texts, tokenize="char")
    return annotate(corpus, "cherrant"), {"output": [outputs[i] for i in chosen]}


PIECES = {"cs": czech, "uk": ukrainian, "ar": arabic, "zh": chinese}


@pytest.mark.parametrize(("language", "piece"), PIECES.items())
def test_maege(data: Path, language: str, piece: Callable[[Path], Piece]) -> None:
    """The more of an annotator's edits are applied, the higher the score: as in English."""
    corpus, _ = piece(data)
    assert corpus.likely_language == language
    result = maege(corpus, corpus, ["gleu", "m2"], replicates=1, edits="plain")
    for name in ("gleu", "m2"):
        assert result[name].corpus_spearman.mean > 0.7
        assert result[name].sentence_tau.mean > 0.1


@pytest.mark.parametrize("language", ["cs", "uk", "zh"])
def test_coverage(data: Path, language: str) -> None:
    corpus, outputs = PIECES[language](data)
    covered = reference_coverage(corpus, outputs, ["gleu"])
    assert 0 < covered.coverage < 1
    assert covered.references == 2


def test_coverage_needs_two_annotators(data: Path) -> None:
    corpus, outputs = arabic(data)
    with pytest.raises(InputError, match="coverage needs two references or more"):
        reference_coverage(corpus, outputs, ["gleu"])


@pytest.mark.parametrize(("language", "piece"), PIECES.items())
def test_report(data: Path, tmp_path: Path, language: str, piece: Callable[[Path], Piece]) -> None:
    corpus, outputs = piece(data)
    outputs |= {"source": list(corpus.sources)}
    study = overview(corpus, outputs, ["m2", "gleu"], confidence=Resampling(20))
    write_page(study, tmp_path / "report.html", title=language)
    assert study.language == language
    assert (tmp_path / "report.html").stat().st_size > 50_000


@pytest.mark.parametrize(("language", "piece"), PIECES.items())
def test_card(data: Path, language: str, piece: Callable[[Path], Piece]) -> None:
    corpus, outputs = piece(data)
    [card] = validate(["gleu"], corpus, outputs, replicates=1)
    assert str(len(corpus)) in card.grounds
    assert card.maege is not None
    assert card.gaming is not None
    assert [point.references for point in card.coverage] == ([] if language == "ar" else [1])
    reasons = [lack.why for lack in card.lacking]
    assert "the given corpus has no human judgments" in reasons
    assert ("what few references hide needs two annotators or more" in reasons) == (language == "ar")


def test_a_card_needs_outputs_and_one_corpus() -> None:
    corpus = Corpus.from_texts(["a b"], [["a c"]])
    with pytest.raises(InputError, match="no systems are given"):
        validate(["gleu"], corpus)
    with pytest.raises(InputError, match="give a corpus of your own, or take the sample"):
        validate(["gleu"], corpus, {"x": ["a"]}, sample=True)


SOURCES, CORRECTED = ["他明天昨天去学校。"], ["他昨天去了学校。"]


def test_edits_are_explained_in_the_tokens_that_they_count() -> None:
    """errant for Chinese cuts texts into characters; edits that others found count what blanks separate."""
    pytest.importorskip("pypinyin", reason="needs the extra: pip install 'gecval[zh]'")
    corpus = Corpus.from_texts(SOURCES, [[text] for text in CORRECTED], language="zh")

    def explained(extractor: str, metric: str) -> list[tuple[str, str, float]]:
        [sentence] = explain(corpus, {"mine": CORRECTED}, [metric], edits=extractor)
        return [(edit.original, edit.correction, edit.value) for edit in sentence.edits]

    errant = 'errant(lang="zh")'
    assert explained("plain", errant) == [(*SOURCES, *CORRECTED, 1.0)]
    assert explained("cherrant", errant) == [("明 天", "", 0.5), ("", "了", 0.5)]
    with pytest.raises(InputError, match="the edits of cherrant count other tokens than gleu compares"):
        explained("cherrant", "gleu")


def test_characters_of_several_code_points() -> None:
    """ChERRANT counts code points, also where texts were cut into characters before."""
    pytest.importorskip("pypinyin", reason="needs the extra: pip install 'gecval[zh]'")
    sources, corrected = ["我爱❤\ufe0f你e\u0301们。我去学"], ["我爱❤\ufe0f你e\u0301们。我去学校"]
    for tokenize in (None, "char"):
        corpus = Corpus.from_texts(sources, [corrected], language="zh", tokenize=tokenize)
        [made] = score(corpus, {"mine": corrected}, ['errant(lang="zh")'])
        assert (made.parts["tp"], made.score) == (1, 1.0)
        [[[edit]]] = [[reference.edits for reference in listed] for listed in annotate(corpus, "cherrant").references]
        assert (edit.start, edit.correction) == (12, "校")


def test_edits_of_characters_need_texts_of_characters() -> None:
    """M2 would compare an output that is one word with edits that count characters."""
    pytest.importorskip("pypinyin", reason="needs the extra: pip install 'gecval[zh]'")
    corpus = Corpus.from_texts(SOURCES, [CORRECTED], language="zh")
    with pytest.raises(InputError, match="the edits of cherrant count other tokens than m2 compares"):
        score(corpus, {"mine": CORRECTED}, ["m2"], edits="cherrant")
    corpus = Corpus.from_texts(SOURCES, [CORRECTED], language="zh", tokenize="char")
    scores = score(corpus, {"mine": CORRECTED}, ["m2"], edits="cherrant")
    assert scores[0].score == 1.0
    assert "|tokenize:char|" in scores[0].signature
