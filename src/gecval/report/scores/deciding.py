"""The sentences that decide, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from gecval.report.grid import P, Signed
from gecval.report.scores.comparisons import comparison_table
from gecval.report.table import DELIMITED, Cell, Table
from gecval.studies.scores.deciding_results import Deciding, DecidingPair, InfluentialSentence

LONGEST = 70  # characters of a text that is shown
BEFORE = 4  # words that are shown before the first difference
MOST_NUMBERS = 40  # of sentences


def deciding_tables(result: Deciding, style: str = "text") -> list[Table]:
    """The comparisons; then for each pair who decides, and the sentences that move the difference most.

    Programs get a row for each deciding set, and one for each sentence.
    """
    compared = comparison_table(result.comparisons)
    if style in DELIMITED:
        compared.title = "comparisons"
        return [compared, _set_table(result.pairs), sentence_table(result.pairs)]
    return [compared, *map(pair_table, result.pairs)]


def pair_table(pair: DecidingPair) -> Table:
    """Three rows for each sentence: what the source and the two systems say."""
    columns = ["sentence", "influence", "decides", "who", "score", "text"]
    rows: list[Sequence[Cell]] = []
    for row in pair.influential:
        source, before, after = cut([row.source, row.baseline_hypothesis, row.hypothesis])
        rows.append([row.sentence, Signed(row.influence), "yes" if row.decides else "no", "source", None, source])
        rows.append([None, None, None, pair.baseline, row.baseline_score, before])
        rows.append([None, None, None, pair.system, row.score, after])
    title = f"{pair.metric}: {pair.verdict}"
    influence = f"influence: {_difference(pair)} over all sentences, minus the same without this one"
    return Table(columns, rows, title=title, footnotes=[*_facts(pair), influence])


def _difference(pair: DecidingPair) -> str:
    return f"{pair.system} − {pair.baseline}"


def _facts(pair: DecidingPair) -> list[str]:
    """How large the set is beside the smallest, what is left without it, and which sentences it has."""
    if not pair.sentences or pair.difference_without is None:
        return []
    p = "" if pair.p_without is None else f", p = {pair.p_without:.3f}, not corrected"
    without = f"without {'it' if pair.count == 1 else 'them'} {pair.difference_without:+.4f}{p}"
    if pair.until == "significance":
        smallest = "one sentence fewer, in the order of influence, does not do it"
    elif pair.proven:
        smallest = "no smaller set does it"
    elif pair.proven_as_chosen:
        smallest = "no smaller set does it while every sentence keeps the reference that the whole corpus chose"
    else:
        proof = f"it takes {pair.at_least} at least" if pair.at_least > 1 else "this is no proof that there is none"
        smallest = f"no smaller set was found; {proof}"
    numbers = ", ".join(map(str, pair.sentences[:MOST_NUMBERS]))
    more = len(pair.sentences) - MOST_NUMBERS
    return [
        f"{_difference(pair)}: {pair.difference:+.4f}; {without}; {smallest}",
        f"sentences: {numbers}{f' and {more} more' if more > 0 else ''}",
    ]


def cut(texts: Sequence[str]) -> list[str]:
    """Long texts, from a little before the first word in which they differ, cut to ``LONGEST`` characters.

    >>> cut(["a b", "a c"])
    ['a b', 'a c']
    >>> cut(["one two three four five six seven " + word * 30 for word in ("ha", "ho")])[0]
    '…four five six seven hahahahahahahahahahahahahahahahahahahahahahahaha…'
    """
    if max(map(len, texts)) <= LONGEST:
        return list(texts)
    words = [text.split() for text in texts]
    same = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False)))
    start = max(0, same - BEFORE) if same < max(map(len, words)) else 0
    rest = [("…" if start else "") + " ".join(listed[start:]) for listed in words]
    return [text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…" for text in rest]


def _set_table(pairs: Sequence[DecidingPair]) -> Table:
    columns = ["metric", "baseline", "system", "difference", "until", "count", "of", "at least", "proven"]
    columns += ["difference without", "p without", "sentences"]
    rows: list[Sequence[Cell]] = []
    for pair in pairs:
        row: list[Cell] = [pair.metric, pair.baseline, pair.system, pair.difference, pair.until, pair.count, pair.of]
        row += [pair.at_least, "yes" if pair.proven else "no", pair.difference_without]
        row += [None if pair.p_without is None else P(pair.p_without), " ".join(map(str, pair.sentences or ()))]
        rows.append(row)
    return Table(columns, rows, title="deciding sets")


def sentence_table(pairs: Sequence[DecidingPair]) -> Table:
    columns = ["metric", "baseline", "system", "sentence", "influence", "decides", "baseline score", "score"]
    columns += ["source", "baseline text", "text"]
    rows = [
        [pair.metric, pair.baseline, pair.system, *_row(sentence)] for pair in pairs for sentence in pair.influential
    ]
    return Table(columns, list(rows), title="influential sentences")


def _row(row: InfluentialSentence) -> list[Cell]:
    cells: list[Cell] = [row.sentence, row.influence, "yes" if row.decides else "no", row.baseline_score, row.score]
    return [*cells, row.source, row.baseline_hypothesis, row.hypothesis]
