"""A picture of one lattice (Figures 2 and 3 of the paper): all subsets of the edits of a sentence, by their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gecval.edits.lattice import Lattice
from gecval.errors import InputError
from gecval.report.headings import heading
from gecval.report.theme import FAINT, HIGHLIGHT, PAPER
from gecval.studies.maege.results import Maege

if TYPE_CHECKING:
    from altair import Chart, TitleParams, TopLevelMixin

MOST_EDITS = 5  # a lattice with more has too many corrections to look at
WIDTH, LEVEL_HEIGHT = 720, 90  # pixels


def lattice_chart(study: Maege) -> TopLevelMixin:
    """The lattice that the study names as its example."""
    if study.example is None:
        raise InputError("no annotation has three edits or more, so no lattice is worth drawing", parameter="plots")
    return draw_lattice(study.example)


def draw_lattice(lattice: Lattice) -> TopLevelMixin:
    """Corrections by number of edits, one chain drawn through them."""
    import altair as alt

    shown = Lattice(lattice.tokens, lattice.edits[:MOST_EDITS])
    size = len(shown.edits)
    places = _places(size)
    arrows, steps = [], []
    for subset, (x, y) in places.items():
        for i in (i for i in range(size) if not subset >> i & 1):
            x2, y2 = places[subset | 1 << i]
            in_chain = subset == (1 << i) - 1
            arrows.append({"x": x, "y": y, "x2": x2, "y2": y2, "chain": in_chain})
            if in_chain:
                edit = shown.edits[i]
                before = " ".join(shown.tokens[edit.start : edit.end])
                step = f"{before or '∅'} → {edit.correction or '∅'}"
                steps.append({"x": (x + x2) / 2, "y": (y + y2) / 2, "text": step})
    across = alt.X("x:Q", axis=None, scale=alt.Scale(padding=60))
    up = alt.Y("y:Q", title="edits applied", axis=alt.Axis(tickMinStep=1))
    colour = alt.condition("datum.chain", alt.value(HIGHLIGHT), alt.value(FAINT))
    lines = alt.Chart({"values": arrows}, width=WIDTH, height=LEVEL_HEIGHT * size).mark_rule()
    dots = alt.Chart({"values": [{"x": x, "y": y} for x, y in places.values()]}).mark_circle(size=80, opacity=1)
    words = alt.Chart({"values": steps}).encode(x="x:Q", y="y:Q", text="text:N")
    chart: TopLevelMixin = (
        lines.encode(x=across, y=up, x2="x2:Q", y2="y2:Q", color=colour)
        + dots.encode(x="x:Q", y="y:Q")
        + words.mark_text(stroke=PAPER, strokeWidth=8)  # so that edges do not run through the words
        + words.mark_text(color=HIGHLIGHT)
        + _sentence(places[0], shown.correction(()), 18)
        + _sentence(places[(1 << size) - 1], shown.correction(range(size)), -14)
    ).properties(title=_title(size, len(lattice.edits)))
    return chart


def _title(size: int, edits: int) -> TitleParams:
    which = f"the first {size} of {edits}" if size < edits else f"{size}"
    return heading(
        "The lattice of a sentence: the more edits are applied, the better",
        f"A dot is a correction: a subset of {which} edits of an annotator. A line adds one edit. "
        "In colour: one chain, edit by edit from the original up.",
        WIDTH,
    )


def _sentence(place: tuple[float, int], text: str, below: int) -> Chart:
    """A correction in full, so many pixels below its dot: outside the lattice, where no edge is."""
    import altair as alt

    named = alt.Chart({"values": [{"x": place[0], "y": place[1], "text": text}]})
    chart: Chart = named.mark_text(dy=below, fontWeight="bold").encode(x="x:Q", y="y:Q", text="text:N")
    return chart


def _places(size: int) -> dict[int, tuple[float, int]]:
    """Where each subset of the edits stands: by its number of edits, side by side around the middle."""
    levels: dict[int, list[int]] = {}
    for subset in range(1 << size):
        levels.setdefault(subset.bit_count(), []).append(subset)
    return {
        subset: (place - (len(subsets) - 1) / 2, level)
        for level, subsets in levels.items()
        for place, subset in enumerate(subsets)
    }
