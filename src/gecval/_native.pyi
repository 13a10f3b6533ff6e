"""Types of the compiled kernels (native/)."""

from collections.abc import Callable, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

_Ids = NDArray[np.int32]
_Offsets = NDArray[np.int64]
_Rows = NDArray[np.float64]

class Vocabulary:
    """Token strings to integers and back."""

    def __init__(self) -> None: ...
    def encode(self, lines: list[str], *, blanks: str = "unicode", jobs: int = 1) -> tuple[_Ids, _Offsets, bool]: ...
    def tokens(self) -> list[str]: ...
    def __len__(self) -> int: ...

class GoldEdits:
    """The gold edits of all annotators, laid out for the search."""

    def __init__(
        self,
        spans: NDArray[np.int64],
        edits: NDArray[np.int32],
        alternatives: _Offsets,
        ids: _Ids,
        offsets: _Offsets,
    ) -> None: ...

def corrected_texts(
    source_ids: _Ids, source_offsets: _Offsets, golds: GoldEdits, sentence_slots: _Offsets, *, jobs: int
) -> tuple[_Ids, _Offsets]: ...
def count_overlapping(spans: NDArray[np.int64], edits: NDArray[np.int32]) -> int: ...
def print_edits(
    write: Callable[[bytes], object],
    sentence_slots: _Offsets,
    spans: NDArray[np.int64],
    edits: NDArray[np.int32],
    corrections: list[str],
    types: list[str],
) -> None: ...

class M2Reader:
    """Reads plain M2 files, block by block."""

    def __init__(self) -> None: ...
    def read(self, block: bytes, *, jobs: int) -> bool: ...
    def columns(
        self,
    ) -> tuple[_Offsets, _Offsets, _Ids, NDArray[np.int32], list[str], list[str], list[str], list[str]]: ...
    @property
    def sources(self) -> list[str]: ...
    @property
    def noops(self) -> int: ...

def max_match(
    source_ids: _Ids,
    source_offsets: _Offsets,
    hypothesis_ids: _Ids,
    hypothesis_offsets: _Offsets,
    golds: GoldEdits,
    sentence_slots: _Offsets,
    *,
    lattice: str,
    max_unchanged: int,
    level: str,
    bonus: bool,
    folded: list[str],
    max_vertices: int,
    version: str,
    jobs: int,
) -> tuple[_Rows, int]: ...
def max_match_edits(
    source: _Ids,
    hypothesis: _Ids,
    golds: GoldEdits,
    slot: int,
    *,
    lattice: str,
    max_unchanged: int,
    level: str,
    folded: list[str],
    max_vertices: int,
    version: str,
) -> list[tuple[int, int, int, int, int, int, bool]]: ...
def gleu(
    source_ids: _Ids,
    source_offsets: _Offsets,
    hypothesis_ids: _Ids,
    hypothesis_offsets: _Offsets,
    reference_ids: _Ids,
    reference_offsets: _Offsets,
    reference_slots: _Offsets,
    *,
    orders: int,
    paper_form: bool,
    jobs: int,
) -> _Rows: ...
def cleme(
    source_ids: _Ids,
    source_offsets: _Offsets,
    hypotheses: GoldEdits,
    references: GoldEdits,
    reference_slots: _Offsets,
    kept: NDArray[np.bool_],
    *,
    independent: bool,
    weights: Sequence[Sequence[float]],
    jobs: int,
) -> tuple[_Rows, float]: ...
def green(
    source_ids: _Ids,
    source_offsets: _Offsets,
    hypothesis_ids: _Ids,
    hypothesis_offsets: _Offsets,
    reference_ids: _Ids,
    reference_offsets: _Offsets,
    reference_slots: _Offsets,
    *,
    orders: int,
    jobs: int,
) -> _Rows: ...
def bleu(
    hypothesis_ids: _Ids,
    hypothesis_offsets: _Offsets,
    reference_ids: _Ids,
    reference_offsets: _Offsets,
    reference_slots: _Offsets,
    *,
    orders: int,
    jobs: int,
) -> _Rows: ...
def sari(
    source_ids: _Ids,
    source_offsets: _Offsets,
    hypothesis_ids: _Ids,
    hypothesis_offsets: _Offsets,
    reference_ids: _Ids,
    reference_offsets: _Offsets,
    reference_slots: _Offsets,
    *,
    lower: _Ids,
    orders: int,
    corpus_form: bool,
    pooled: bool,
    jobs: int,
) -> _Rows: ...
def index_match(
    source_ids: _Ids,
    source_offsets: _Offsets,
    hypothesis_ids: _Ids,
    hypothesis_offsets: _Offsets,
    reference_ids: _Ids,
    reference_offsets: _Offsets,
    reference_slots: _Offsets,
    *,
    jobs: int,
) -> _Rows: ...
def word_steps(
    source: _Ids,
    corrected: _Ids,
    lower: _Ids,
    lower_corrected: _Ids,
    kinds: _Ids,
    kinds_corrected: _Ids,
    costs: _Rows,
) -> list[tuple[int, int, int, int, int]]: ...

MOST_CELLS: int

def plain_edits(
    source_ids: _Ids,
    source_offsets: _Offsets,
    corrected_ids: _Ids,
    corrected_offsets: _Offsets,
    letters: _Ids,
    letter_offsets: _Offsets,
    bare: _Ids,
    bare_offsets: _Offsets,
    lower: _Ids,
    punctuation: NDArray[np.uint8],
    *,
    jobs: int,
) -> tuple[_Ids, _Offsets]: ...
def align_lines(
    source: _Ids, source_stems: _Ids, output: _Ids, output_stems: _Ids
) -> tuple[_Ids, NDArray[np.uint8]]: ...
def running_best(
    rows: _Rows, offsets: _Offsets, *, beta: float, preference: str, factors: Sequence[float] = ...
) -> _Offsets: ...
def running_best_totals(
    rows: _Rows,
    offsets: _Offsets,
    draws: NDArray[np.int64],
    *,
    beta: float,
    preference: str,
    factors: Sequence[float] = ...,
    jobs: int,
) -> _Rows: ...
def running_best_without(
    rows: _Rows,
    offsets: _Offsets,
    blocks: NDArray[np.int64],
    *,
    beta: float,
    preference: str,
    factors: Sequence[float] = ...,
    jobs: int,
) -> _Rows: ...
def macro_best(rows: _Rows, offsets: _Offsets, *, beta: float) -> _Offsets: ...
def macro_best_totals(rows: _Rows, offsets: _Offsets, draws: NDArray[np.int64], *, beta: float, jobs: int) -> _Rows: ...
def drawn_totals(rows: _Rows, offsets: _Offsets, uniform: _Rows, *, jobs: int) -> _Rows: ...
def drawn_sums(
    base: _Rows,
    differences: NDArray[np.generic],
    offsets: _Offsets,
    weights: NDArray[np.generic],
    choices: NDArray[np.uint16],
) -> _Rows: ...
def sign_flip_sums(tables: _Rows, signs: NDArray[np.uint8]) -> _Rows: ...
def trueskill_passes(
    scores: _Rows, orders: NDArray[np.int64], *, sigma: float, beta: float, margin: float, jobs: int
) -> _Rows: ...

class TrueSkillRuns:
    """Many runs of WMT's sampling procedure side by side."""

    def __init__(
        self,
        won: NDArray[np.float64],
        decided: NDArray[np.float64],
        met: NDArray[np.float64],
        absent: NDArray[np.uint8],
        *,
        sigma: float,
        beta: float,
        margin: float,
    ) -> None: ...
    def play(self, uniforms: NDArray[np.float64], *, exp: np.ufunc, below: np.ufunc, jobs: int) -> None: ...
    @property
    def mu(self) -> _Rows: ...
    @property
    def variance(self) -> _Rows: ...

class ErrorClusters:
    """The clusters of alternative edits of every sentence."""

    @overload
    def __init__(
        self,
        sentence_clusters: _Offsets,
        cluster_alternatives: _Offsets,
        alternative_edits: _Offsets,
        starts: NDArray[np.int32],
        ends: NDArray[np.int32],
        ids: _Ids,
        offsets: _Offsets,
    ) -> None: ...
    @overload
    def __init__(self, golds: GoldEdits, sentence_slots: _Offsets) -> None: ...
    def of_sentence(self, sentence: int) -> list[list[list[tuple[int, int, list[int]]]]]:
        """For each cluster, for each alternative: start, end and token ids of its edits."""

def imeasure_references(
    source_ids: _Ids, source_offsets: _Offsets, golds: GoldEdits, sentence_slots: _Offsets
) -> tuple[_Ids, _Offsets]: ...
def imeasure_rows(
    source_ids: _Ids,
    source_offsets: _Offsets,
    hypothesis_ids: _Ids,
    hypothesis_offsets: _Offsets,
    reference_ids: _Ids,
    reference_offsets: _Offsets,
    reference_slots: _Offsets,
    *,
    jobs: int,
) -> _Rows: ...
def imeasure_choose(
    rows: _Rows, offsets: _Offsets, draws: _Offsets, *, maximise: str, weight: float, beta: float, running: bool
) -> _Offsets: ...
def imeasure_mixed(
    source_ids: _Ids,
    source_offsets: _Offsets,
    hypothesis_ids: _Ids,
    hypothesis_offsets: _Offsets,
    clusters: ErrorClusters,
    *,
    maximise: str,
    weight: float,
    beta: float,
    running: bool,
    jobs: int,
) -> tuple[_Rows, _Rows]: ...
def end_with_parent(parent: int) -> None: ...
