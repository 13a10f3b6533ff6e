"""reproduce reads its data sets by name: in our layout, or where a clone of the upstream repository has them."""

from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.formats.datasets import find_dataset
from gecval.formats.datasets.catalog import Upstream
from gecval.runtime.run import Run
from gecval.studies.reproduce import conll14, lfm
from gecval.studies.reproduce.study import PAPERS, PaperParts, reproduce


def clone(name: str, data: Path, root: Path) -> None:
    """A set as its repositories have it, cloned into the set's folder."""
    entry = find_dataset(name)
    for file in entry.files:
        if isinstance(file.origin, Upstream):
            path = root / entry.folder / file.origin.path
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():  # two of our names may be one file upstream
                path.symlink_to(data / entry.folder / file.name)


def read() -> dict[str, object]:
    """What the papers on human rankings and on coverage start from."""
    corpus = conll14.load_two_references()
    twenty = conll14.load_twenty_references()
    outputs = [
        *conll14.load_participants(corpus, repaired=True),
        *conll14.load_outputs("conll14", "systems-later", corpus),
        *conll14.load_outputs("seeda", "outputs", corpus),
    ]
    gjg15, nspt15, _ = conll14.load_judgment_sets()
    annotated = (corpus, conll14.load_ten_references(), twenty)
    return {
        "references": [gold.reference_hash for gold in annotated],
        "annotators": [{len(references) for references in gold.references} for gold in annotated],
        "outputs": [(system.name, tuple(system.hypotheses)) for system in outputs],
        "judgments": (gjg15.items, nspt15.items),
    }


def test_a_clone_of_upstream_reads_as_our_layout(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("conll14", "bryant-ng-2015", "sakaguchi-2016", "gjg15", "nspt15", "seeda"):
        clone(name, data, tmp_path)
    monkeypatch.setenv("GECVAL_DATA", str(data))
    ours = read()
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    assert read() == ours
    assert ours["annotators"] == [{1, 2}, {10}, {20}]  # NUCLE has one for some
    names = [name for name, _ in ours["outputs"]]
    assert names[:3] == ["AMU", "CAMB", "CUUI"]
    assert names[13:17] == ["JMGR", "RoRo", "char", "BART"]
    assert len(names) == 31


def test_every_paper_names_its_data_sets() -> None:
    assert [paper.name for paper in PAPERS.values() if not paper.datasets] == ["calibration"]  # it draws its own data
    assert all(find_dataset(name).fetched for paper in PAPERS.values() for name in paper.datasets)


@pytest.mark.parametrize("paper", [name for name, paper in PAPERS.items() if paper.datasets])
def test_all_that_is_missing_is_said_in_one_line(paper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    with pytest.raises(InputError) as refusal:
        reproduce(paper)
    assert f"`gecval data fetch {' '.join(PAPERS[paper].datasets)}`" in str(refusal.value)


def test_other_data_are_another_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint is not taken up with a file that somebody changed, or with one that was not there."""
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    signatures = [PaperParts(paper="lfm").signature()]
    (tmp_path / "gug").mkdir()
    for text in ("one", "two"):
        (tmp_path / "gug" / "gug_annotations.tsv").write_text(text)
        signatures.append(PaperParts(paper="lfm").signature())
    assert len(set(signatures)) == 3
    assert PaperParts(paper="lfm").signature() == signatures[-1]
    assert all(signature.startswith("reproduce|lfm|data:") for signature in signatures)


def test_a_backend_that_is_none_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    with pytest.raises(InputError, match="'spark' is no backend"):
        reproduce("lfm", run=Run(backend="spark"))


def test_a_model_is_trained_once(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pocketsphinx", reason="needs the extra: pip install 'gecval[lfm]'")
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path))
    monkeypatch.setenv("GECVAL_DATA", str(data))
    monkeypatch.setattr(lfm, "usual_groups", lambda: ("ngrams",))
    trained, reasons = lfm.lfm_or_reason()
    assert trained is not None
    assert reasons == []
    monkeypatch.setattr(lfm, "_train", None)
    assert lfm.lfm_or_reason() == (trained, [])
    assert trained.model == str(next(tmp_path.glob("lfm.*.json")))


def test_why_there_is_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    trained, [reason] = lfm.lfm_or_reason()
    assert trained is None
    assert "LFM is left out: no folder" in reason
