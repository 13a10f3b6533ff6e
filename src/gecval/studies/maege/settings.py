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

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args, get_origin

from gecval.errors import InputError

Ties = Literal["half", "concordant", "discordant", "argsort"]
Source = Literal["random", "original"]

MOST_EDITS = 1_000_000  # far above any sentence, far below what a binomial can draw
MOST_CHAINS = 10_000  # per annotation; with more, only memory and waiting grow


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How lattices are sampled and metrics judged. ``Settings.preset`` makes those of the paper and of its code.

    Parameters
    ----------
    models
        The mean number of edits in each sampled corpus.
    variance
        The variance of the number of edits.
    chains
        How many chains to draw from the lattice of each annotation.
    source
        What metrics get as source: a random correction of the lattice, or the original.
    ties
        What two equal scores count as in τ: half, concordant, discordant, or as ``numpy.argsort`` orders them.
    unique_pairs
        Whether a pair of corrections counts once, though several chains hold it.
    linear
        What the scores for Pearson's r start from: edits per token or per character.
    delta
        What Δ of an edit is taken against: the correction before it, or the first of the chain.
    corpus_score
        The metric's own score of a corpus, or the mean of its sentence scores.
    edits_drawn
        Whether the number of edits has its mean exactly, or the binomial's n is cut to a whole number.
    corpus_source
        Where the sources of corpora come from: the lattice, or one of the sampled corpora.
    drop_unchanged
        Whether to leave out sentences that some annotator does not edit.
    annotators
        The fewest annotators who must edit a sentence for chains to be drawn from it.
    drop_paragraphs
        Whether to leave out texts of more than 300 characters with two full stops or more.
    """

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
        object.__setattr__(self, "models", tuple(map(float, self.models)))
        for model in self.models:
            if not 0 <= model <= MOST_EDITS:
                raise InputError(f"a model makes 0 to {MOST_EDITS} edits on average, not {model}", parameter="models")
        if not 0 <= self.variance < MOST_EDITS:
            raise InputError(f"variance is a number from 0 on, not {self.variance}", parameter="variance")
        if not 1 <= self.chains <= MOST_CHAINS:
            raise InputError(f"chains is a number from 1 to {MOST_CHAINS:,}, not {self.chains:,}", parameter="chains")
        for field in fields(self):
            value, choices = getattr(self, field.name), get_args(field.type)
            if get_origin(field.type) is Literal and value not in choices:
                raise InputError(f"{field.name} is one of {', '.join(choices)}, not {value!r}", parameter=field.name)

    def signature(self) -> str:
        """All settings.

        >>> Settings(models=(0, 0.5)).signature()[:40]
        'models:0,0.5|variance:0.9|chains:1|sourc'
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["models"] = ",".join(f"{model:g}" for model in self.models)
        return "|".join(f"{name}:{value}" for name, value in values.items())

    @classmethod
    def preset(cls, name: str, **changes: Any) -> "Settings":
        """The settings of a preset (``default``, ``paper`` or ``code``), with changes. None changes nothing.

        Examples
        --------
        >>> Settings.preset("paper", source="original", chains=None) == Settings(ties="concordant", source="original")
        True
        """
        if name not in PRESETS:
            raise InputError(f"there is no preset {name!r}; there is {', '.join(PRESETS)}", parameter="preset")
        return replace(PRESETS[name], **{field: value for field, value in changes.items() if value is not None})


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

MaegeSettings = Settings  # its public name
