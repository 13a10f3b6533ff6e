"""A metric of Hugging Face's library evaluate: ``evaluate.load(hf_evaluate.__file__, "gleu")`` needs no network.

evaluate copies this file into its cache and runs the copy, so it stands alone and imports gecval like any program.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import gecval

evaluate: Any = import_module("evaluate")
datasets: Any = import_module("datasets")
DEFAULT = "gleu"


class GEC(evaluate.Metric):  # type: ignore[misc]
    """Every metric of gecval: the name of the configuration is its name, or several, as in ``"errant, gleu"``."""

    def _info(self) -> Any:
        text = datasets.Value("string")
        columns = {"sources": text, "predictions": text}
        return evaluate.MetricInfo(
            description="gecval scores grammatical error correction.",
            citation="",
            features=[
                datasets.Features(columns | {"references": references})
                for references in (datasets.Sequence(text), text)
            ],
            inputs_description="sources, predictions, and one reference or a list of references for each",
        )

    def _compute(
        self, sources: Sequence[str], predictions: Sequence[str], references: Sequence[Any], **options: Any
    ) -> dict[str, float]:
        """The numbers by name. ``options`` are those of ``gecval.evaluate``, such as ``confidence=True``."""
        name = DEFAULT if self.config_name == "default" else self.config_name
        return gecval.evaluate(sources, predictions, references, metrics=name, **options).to_flat_dict()
