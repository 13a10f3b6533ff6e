"""The references to buy next, as a list for annotators."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.results.table import DELIMITED, Cell, Signed, Table, percent
from gecval.studies.buy_references.study import ReferencesToBuy
from gecval.studies.compare.tables import cut


def buying_tables(result: ReferencesToBuy, style: str = "text") -> list[Table]:
    """What the list is expected to change, then the list; programs and annotators get the list alone, uncut."""
    rows: list[Sequence[Cell]] = [
        [row.sentence, row.references, row.wrong, Signed(row.gain), row.spread, source]
        for row in result.sentences
        for source in (cut([row.source]) if style == "text" else [row.source])
    ]
    columns = ["sentence", "references", "wrong", "gain", "spread", "source"]
    sentences = Table(columns, rows, title="Sentences to correct once more", digits=5, main="gain")
    sentences.plain = ["wrong"]
    if style in DELIMITED:
        return [sentences]
    share = result.gain / result.gain_of_all if result.gain_of_all else None
    cells: list[Cell] = [result.metric, result.systems, result.score, Signed(result.gain), result.interval]
    summary = Table(
        ["metric", "systems", "mean score", "gain", "interval", "gain of all", "share", "spread of all", "spread left"],
        [[*cells, Signed(result.gain_of_all), share, result.spread_of_all, result.spread_left]],
        title=f"What one more reference of {len(result)} sentences is expected to change",
        level=result.level,
        interval_digits=4,
        main="gain",
    )
    sentences.footnotes = [
        "gain: by how much the mean score of the systems should rise, from what the last reference of such sentences "
        "changed; wrong: what the best reference finds wrong, the mean over systems",
        f"spread: one standard deviation of the gain; the interval is at {percent(result.level)}",
        result.signature,
    ]
    return [summary, sentences]
