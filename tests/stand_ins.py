"""In the place of models that are large, slow or elsewhere: judges that know letters only.

``WITHOUT_MODELS`` spells the metrics whose default parameters would need one; hypotheses and references share minimal
edits then.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from chat_server import quick_answers
from gecval.metrics.base import Array
from gecval.metrics.some import SOME
from gecval.models.chat import Chat
from gecval.models.language_model import LanguageModel, LogProbability
from gecval.models.text_model import TextModel

LFM_MODEL = str(Path(__file__).parent / "expected" / "lfm.json")
LABELS = "a"  # a model with several labels
WITHOUT_MODELS = {
    "errant": 'errant(model="plain")',
    "weighted": 'weighted(errant(model="plain"))',
    "uot": 'uot(edits="plain")',
    "cleme": 'cleme(edits="plain")',
    "gotoscorer": 'gotoscorer(edits="plain")',
    "cleme2": 'cleme2(edits="plain")',
    "lfm": f"lfm(model={LFM_MODEL!r})",
    "some": 'some(directory="a")',
    "reward": f"reward(model={LABELS!r})",
    "llm-judge": 'llm-judge(model="a", url="http://localhost/v1")',
}


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the rest of the test, language models, networks and chat models look at letters."""
    monkeypatch.setattr(LanguageModel, "log_probabilities", _log_probabilities)
    monkeypatch.setattr(TextModel, "numbers", _numbers)
    monkeypatch.setattr(Chat, "answers", quick_answers)
    monkeypatch.setattr(SOME, "_folder", lambda self, part: part)


def _log_probabilities(self: LanguageModel, texts: list[str], **options: object) -> list[LogProbability]:
    return [LogProbability(-float(sum(map(ord, text)) % 97), len(text.split())) for text in texts]


def _numbers(self: TextModel, texts: list[str], **options: object) -> Array:
    values = np.array([[sum(map(ord, "".join(text))) % 97 / 50, len(text), 1.0] for text in texts])
    one_output = self.head == "classifier" and self.model != LABELS
    return values[:, :1] if one_output else values
