"""Gold against itself, in every corpus of other languages: perfect, or the doctor says which edits are to blame."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest

from gecval import Corpus, doctor
from gecval.studies.doctor.study import doctor_files
from real_sets import parsed_words


def essays(name: str, annotators: int) -> str:
    return " ".join(
        f"multigec-format/{name}-{part}-sample.md"
        for part in ["orig", *(f"ref{number}" for number in range(1, annotators + 1))]
    )


# Of each corpus: its annotations, and those whose own text does not score 1. None is sampled: the longest takes 6 s.
CORPORA = {
    "ar/zaebuc/zaebuc_dev.m2": (33, 0),
    "ar/zaebuc/zaebuc_dev.nopnx.m2": (33, 0),
    "ar/zaebuc/zaebuc_test.m2": (31, 1),
    "ar/zaebuc/zaebuc_test.nopnx.m2": (31, 0),
    "cs/geccc-test/paragraph.m2.gz": (6366, 74),
    "cs/geccc-test/sentence.m2.gz": (15553, 74),
    "de/falko-merlin/fm-dev.m2": (2503, 10),
    "de/falko-merlin/fm-test.m2": (2337, 7),
    "el/gnc/orig.txt el/gnc/corr.txt": (302, 0),
    "et/estgec-l1/test_m2.txt": (1453, 37),
    "et/estgec-l2/source_gold_test.txt": (3104, 705),
    essays("es-cowsl2h", annotators=2): (200, 1),
    essays("uk-ua_gec", annotators=4): (240, 6),
    "uk/ua-gec/gec-fluency.test.m2": (5712, 8),
    "uk/ua-gec/gec-only.test.m2": (5724, 4),
    "uk/unlp-2023/gec-fluency/valid.m2": (3012, 6),
    "uk/unlp-2023/gec-only/valid.m2": (3018, 4),
    "zh/cherrant-demo/demo.ref.m2.char": (29, 2),
    "zh/cherrant-demo/demo.ref.m2.word": (29, 2),
    "zh/mucgec-dev/MuCGEC_dev.txt": (2467, 3),
    "zh/nlpcc2018/nlpcc2018_official.ref.m2.char": (2259, 109),
    "zh/nlpcc2018/nlpcc2018_official.ref.m2.word": (2259, 87),
}
PARSED = {"it/valico-ud": 398, "sv/swell-ud": 510}
NO_GOLD = {  # outputs of systems, tables, and folders whose texts are all in the M2 files above
    "*/systems/*", "multigec-results/*", "zh/resources/*", "uk/mistral-7b/*", "*/hyp/*", "zh/*hyp*", "*example_pred*",
    "README.md", "*/LICENCE.txt", "ar/*.tok", "cs/*.gold.gz", "cs/*.input.gz", "cs/*meta*", "et/*/test_laused.txt",
    "et/*/source_sentences*", "uk/*/valid.???.t*", "zh/cherrant-demo/demo.input",
}  # fmt: skip


@pytest.fixture
def corpora(data: Path) -> Path:
    folder = data / "multi"
    if not folder.is_dir():
        pytest.skip(f"no real data: {folder} is missing")
    return folder


def test_no_corpus_is_left_out(corpora: Path) -> None:
    """Every file is gold that is tested below, or known to be none."""
    files = {path.relative_to(corpora).as_posix() for path in corpora.rglob("*") if path.is_file()}
    tested = {name for names in CORPORA for name in names.split()}
    tested |= {f"{folder}/{side}.conllu" for folder in PARSED for side in ("source", "corrected")}
    assert tested <= files
    assert [name for name in sorted(files - tested) if not any(fnmatch(name, known) for known in NO_GOLD)] == []


@pytest.mark.parametrize("files", CORPORA)
def test_gold_is_perfect_or_edits_are_to_blame(corpora: Path, files: str) -> None:
    if files.endswith(".md"):
        pytest.importorskip("syntok")
    diagnosis = doctor_files([corpora / name for name in files.split()])
    assert (sum(row.annotations for row in diagnosis.gold), sum(row.imperfect for row in diagnosis.gold)) == CORPORA[
        files
    ]
    # Whoever scores below 1 against themselves has an edit to blame, in as many annotations.
    assert len({(edit.sentence, edit.annotator) for edit in diagnosis.blamed}) == CORPORA[files][1]
    assert {row.annotator for row in diagnosis.gold if row.f != 1} <= {edit.annotator for edit in diagnosis.blamed}


@pytest.mark.parametrize(("folder", "sentences"), PARSED.items())
def test_texts_of_parses_are_perfect(corpora: Path, folder: str, sentences: int) -> None:
    sources, corrected = (parsed_words(corpora / folder / name) for name in ("source.conllu", "corrected.conllu"))
    diagnosis = doctor(Corpus.from_texts(sources, [[text] for text in corrected]))
    assert [(row.annotations, row.imperfect, row.f) for row in diagnosis.gold] == [(sentences, 0, 1.0)]


def test_what_estonian_gold_needs(corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fixed by the commands that the doctor names, a perfect output gains most of what it lost."""
    monkeypatch.chdir(tmp_path)
    gold = corpora / "et/estgec-l2/source_gold_test.txt"
    lost = doctor_files([gold])
    assert min(row.f for row in lost.gold) == pytest.approx(0.8351, abs=5e-5)
    names = ["duplicates", "overlaps", "order", "idle"]
    assert {finding.fix for finding in lost if finding.fix} == set(names)
    (tmp_path / "gold.txt").write_bytes(gold.read_bytes())
    doctor_files([Path("gold.txt")], fixes=names)
    again = doctor_files([Path("gold.fixed.m2")])
    assert {finding.kind for finding in again} == {"gold is not 1 against itself"}
    assert min(row.f for row in again.gold) == pytest.approx(0.9533, abs=5e-5)
    wide = sum(edit.reason.startswith("keeps more than 2") for edit in again.blamed)
    assert (wide, len(again.blamed)) == (167, 181)
