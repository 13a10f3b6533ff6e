"""The Scribendi paper's tables: published figures beside ours, whatever the metrics say."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics import Metric
from gecval.metrics.lfm.metric import LFM
from gecval.stats.resampling import Array
from gecval.studies.reproduce import lfm, scribendi
from gecval.studies.reproduce.human import GJG15_TRUESKILL
from gecval.studies.reproduce.study import reproduce


@pytest.fixture
def published_order(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """Every metric scores as the people of GJG15 did; nothing is asked of a model but its name."""

    def scores(
        corpus: Corpus, outputs: Sequence[System], ours: Mapping[str, Metric], **how: object
    ) -> dict[str, Array]:
        people = np.array([GJG15_TRUESKILL[system.name] for system in outputs])
        return dict.fromkeys(["m2", "gleu", "bleu", "imeasure", *ours], people)

    try:
        for metric in scribendi.OURS.values():
            metric.parameters()
    except InputError as error:
        pytest.skip(str(error))
    monkeypatch.setenv("GECVAL_DATA", str(data))
    monkeypatch.setattr(scribendi, "_scores", scores)
    monkeypatch.setattr(scribendi, "lfm_or_reason", lambda progress: (LFM("a model"), []))


@pytest.mark.usefixtures("published_order")
def test_tables() -> None:
    nspt15, gjg15, places, napoles = reproduce("scribendi")
    assert gjg15.rows["Scribendi"]["r"].published == 0.951
    assert gjg15.rows["Scribendi"]["r"].ours == pytest.approx(1, abs=0.01)
    assert gjg15.rows["SOME"]["ρ"].ours is None
    assert nspt15.rows["Scribendi"]["r"].ours == nspt15.rows["LT"]["r"].ours < 0.9
    assert places.rows["AMU"]["Scribendi"].published == 2
    assert places.rows["AMU"]["Scribendi"].ours == 1
    assert places.rows["IPN"]["BLEU"].ours == 13
    assert napoles.rows["LT"]["ρ"].published == 0.808
    assert napoles.rows["LFM"]["r"].published == 0.742
    assert napoles.rows["LFM"]["r"].ours == napoles.rows["LT"]["r"].ours
    assert any("SmolLM2-135M" in note for note in gjg15.notes)
    beginnings = [[note.partition(" ")[0] for note in table.notes] for table in (nspt15, gjg15, places, napoles)]
    assert beginnings == [
        ["NUCLE's", "published", "Scribendi", "LT", "LFM"],
        ["NUCLE's", "neither", "Scribendi", "LT", "LFM"],
        ["the", "Scribendi"],
        ["LT", "LFM"],
    ]


@pytest.mark.usefixtures("published_order")
def test_without_a_model_the_row_stays_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scribendi, "lfm_or_reason", lambda progress: (None, ["LFM is left out: why"]))
    *_, napoles = reproduce("scribendi")
    assert napoles.rows["LFM"]["r"].ours is None
    assert napoles.notes[-1] == "LFM is left out: why"


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
