"""The Scribendi paper's tables: published figures beside ours, whatever the metrics say."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.progress import Progress
from gecval.stats.resampling import Array
from gecval.studies.reproduce import reproduce, scribendi
from gecval.studies.reproduce.human_published import GJG15_TRUESKILL


@pytest.fixture
def published_order(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """Every metric scores as the people of GJG15 did; nothing is asked of a model but its name."""

    def scores(corpus: Corpus, outputs: Sequence[System], progress: Progress) -> dict[str, Array]:
        people = np.array([GJG15_TRUESKILL[system.name] for system in outputs])
        return dict.fromkeys(["m2", "gleu", "bleu", "imeasure", *scribendi.OURS], people)

    try:
        for metric in scribendi.OURS.values():
            metric.parameters()
    except InputError as error:
        pytest.skip(str(error))
    monkeypatch.setenv("GECVAL_DATA", str(data))
    monkeypatch.setattr(scribendi, "_scores", scores)


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
    assert any("SmolLM2-135M" in note for note in gjg15.notes)
