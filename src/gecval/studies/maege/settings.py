"""What the MAEGE paper prints, what its code did, and what we take to be soundest.

| | default | paper | code |
|---|---|---|---|
| pairs for τ | each once | each once | a pair in two chains counts twice |
| metric ties in τ | half | concordant | as `numpy.argsort` puts them, which varies by processor |
| scores for r | edits per token | edits per token | (edits + 1) per character |
| Δ of a type | to the correction before | the same | to the first of the chain |
| corpus score | the metric's own | the metric's own | mean of sentence scores |
| number of edits | mean M | mean M | binomial with n cut to a whole number |
| corpus source | from the lattice | from the lattice | from one of the sampled corpora |
| sentences | all annotators edit | all annotators edit | at least two do, not long and several |
"""

from dataclasses import dataclass
from typing import Literal

from gecval.errors import InputError

Ties = Literal["half", "concordant", "discordant", "argsort"]
Source = Literal["random", "original"]

MOST_EDITS = 1_000_000  # far above any sentence, far below what a binomial can draw


@dataclass(frozen=True)
class Settings:
    """How lattices are sampled and metrics judged."""

    models: tuple[float, ...] = tuple(float(m) for m in range(11))
    variance: float = 0.9
    chains: int = 1
    source: Source = "random"
    ties: Ties = "half"
    unique_pairs: bool = True
    linear: Literal["tokens", "characters"] = "tokens"
    delta: Literal["previous", "first"] = "previous"
    corpus_score: Literal["corpus", "mean"] = "corpus"
    edits_drawn: Literal["exact", "truncated"] = "exact"
    corpus_source: Literal["lattice", "corpora"] = "lattice"
    drop_unchanged: bool = True
    annotators: int = 1
    drop_paragraphs: bool = False

    def __post_init__(self) -> None:
        for model in self.models:
            if not 0 <= model <= MOST_EDITS:
                raise InputError(f"a model makes 0 to {MOST_EDITS} edits on average, not {model}")


PRESETS = {
    "default": Settings(),
    "paper": Settings(ties="concordant"),
    "code": Settings(
        ties="argsort",
        unique_pairs=False,
        linear="characters",
        delta="first",
        corpus_score="mean",
        edits_drawn="truncated",
        corpus_source="corpora",
        annotators=2,
        drop_paragraphs=True,
    ),
}
