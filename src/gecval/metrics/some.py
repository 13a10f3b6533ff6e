"""SOME (Yoshimura et al. 2020): three regressions trained on people's ratings of grammar, fluency and meaning.

    SOME = .55 · G(output) + .43 · F(output) + .02 · M(source, output),   each x of a model as (x − 1) / 3

The weights were tuned on GJG15. People rated from 1 to 4; a model may leave this range, so a score may exceed 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from gecval.errors import InputError
from gecval.metrics.base import Array, check_text
from gecval.metrics.neural import NeuralMetric, only_output
from gecval.models.text_model import TextModel
from gecval.runtime.run import SERIAL, Run

# The authors' archive spells the first folder so.
FOLDERS = {"grammaticality": ("grammaticality", "grammer"), "fluency": ("fluency",), "meaning": ("meaning",)}


@dataclass(frozen=True, repr=False)
class SOME(NeuralMetric):
    """``directory`` holds the three models as folders: grammaticality (or grammer), fluency and meaning."""

    name: ClassVar[str] = "some"
    title: ClassVar[str] = "SOME"
    summary: ClassVar[str] = "people's ratings of grammar, fluency and meaning, as networks predict them"
    paper: ClassVar[str] = "Yoshimura et al. 2020"

    directory: str = ""
    weights: tuple[float, float, float] = (0.55, 0.43, 0.02)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_text(self.name, directory=self.directory)
        if not (
            isinstance(self.weights, tuple | list)
            and len(self.weights) == 3
            and all(isinstance(weight, int | float) and not isinstance(weight, bool) for weight in self.weights)
        ):
            raise InputError(f"{self.name}: weights must be three numbers, not {self.weights!r}")
        object.__setattr__(self, "weights", tuple(self.weights))

    def models(self) -> dict[str, TextModel]:
        return {part: self.text_model(self._folder(part), "classifier") for part in FOLDERS}

    def _folder(self, part: str) -> str:
        if not self.directory:
            raise InputError(
                'some needs the folder of its three models: some(directory="gfm-models"), with the folders '
                "grammaticality, fluency and meaning"
            )
        for name in FOLDERS[part]:
            if (folder := Path(self.directory, name)).is_dir():
                return str(folder)
        raise InputError(f"{self.directory}: there is no folder {part} with a model")

    def values(self, sources: Sequence[str], outputs: Sequence[str], *, run: Run = SERIAL) -> Array:
        models = self.models()
        grammar, fluency = (only_output(models[part], outputs, run=run) for part in ("grammaticality", "fluency"))
        pairs = list(zip(sources, outputs, strict=True))
        meaning = only_output(models["meaning"], pairs, run=run)
        g, f, m = self.weights
        value: Array = (g * (grammar - 1) + f * (fluency - 1) + m * (meaning - 1)) / 3
        return value
