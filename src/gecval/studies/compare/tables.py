"""Comparisons as tables: systems against a baseline, or every pair with a ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from gecval.results.table import DELIMITED, Cell, P, Signed, Table, percent
from gecval.stats.paired import NAMES
from gecval.studies.compare.deciding import Deciding, DecidingPair, InfluentialSentence
from gecval.studies.compare.gate import Decision, NotWorse
from gecval.studies.compare.result import AllPairs, Comparison, Comparisons
from gecval.studies.scores.result import Score, Scores
from gecval.studies.scores.tables import directions, long_table, score_table, signatures


def comparison_tables(comparisons: Comparisons, style: str = "text") -> list[Table]:
    """A row per metric and system: both scores, their difference with its interval, and p."""
    return [comparison_table(comparisons)]


def comparison_table(comparisons: Iterable[Comparison]) -> Table:
    """The row of every comparison; significant differences are bold, with the better score."""
    comparisons = list(comparisons)
    typed = any(comparison.type is not None for comparison in comparisons)
    correction = comparisons[0].correction if comparisons else "none"
    # What names a row comes first: a narrow terminal repeats it next to the following columns.
    columns = ["metric", *(["type"] if typed else []), "baseline", "system", "baseline score", "score", "difference"]
    test = comparisons[0].test if comparisons else "studentised"
    p_values = ["p"] if test == "studentised" else ["p bootstrap", "p randomisation"]
    columns += ["interval", *p_values, *([f"p {correction}"] if correction != "none" else [])]
    rows: list[Sequence[Cell]] = []
    bold = set()
    for r, comparison in enumerate(comparisons):
        if comparison.significant:
            better = "score" if comparison.system_is_better else "baseline score"
            bold |= {(r, columns.index("difference")), (r, columns.index(better))}
        row: list[Cell] = [comparison.metric, *([comparison.type] if typed else [])]
        row += [comparison.baseline, comparison.system, comparison.baseline_score, comparison.score]
        row += [Signed(comparison.difference), comparison.interval]
        single = [comparison.p_studentised]
        if test == "larger":
            single = [comparison.p_bootstrap, comparison.p_randomisation]
        row += map(P, single)
        rows.append([*row, *([P(comparison.p)] if correction != "none" else [])])
    notes: list[str] = []
    significant = "p < 0.05" if test == "studentised" else "both tests give p < 0.05"
    if correction != "none":
        which = "p" if test == "studentised" else "the larger p"
        notes = [f"p {correction}: {which}, corrected by {NAMES[correction]} method for {_families(comparisons)}"]
        significant = f"p {correction} < 0.05"
    table = Table(columns, rows, bold=bold, bold_note=f"{significant}, and the better score", interval_digits=4)
    table.level = comparisons[0].level if comparisons else None
    table.footnotes = [*notes, *directions(comparisons), *signatures(comparisons)]
    return table


def _families(comparisons: Sequence[Comparison]) -> str:
    """How many tests are corrected together: all of them, or those under each metric."""
    counts = Counter(comparison.metric for comparison in comparisons)
    if comparisons[0].family == "all":
        of = f" of {', '.join(counts)}" if len(counts) > 1 else ""
        return f"all {len(comparisons)} tests{of}" if len(comparisons) > 1 else "one test"
    each = (f"{metric} ({count} {'test' if count == 1 else 'tests'})" for metric, count in counts.items())
    return f"the tests under each metric: {', '.join(each)}"


def all_pairs_tables(pairs: AllPairs, style: str = "text") -> list[Table]:
    """For each metric the ranking; then a row for every pair."""
    compared = comparison_table(pairs.comparisons)
    compared.title = "Every pair"
    if style in DELIMITED:
        scores = long_table(pairs.scores)
        scores.title = "Ranking"
        return [scores, compared]
    return [*map(_ranking_table, _by_metric(pairs.scores)), compared]


def _ranking_table(scores: Sequence[Score]) -> Table:
    table = score_table(Scores(scores=tuple(scores)), parts=False)
    table.title = f"Ranking by {scores[0].metric}"
    table.footnotes = [
        "ranks: what chance allows; systems of one cluster are not significantly different",
        *directions(scores),
    ]
    return table


def _by_metric(scores: Iterable[Score]) -> list[list[Score]]:
    by_metric: dict[str, list[Score]] = {}
    for score in scores:
        by_metric.setdefault(score.metric, []).append(score)
    return list(by_metric.values())


# The sentences that decide, as tables.


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
    """How large the set is, compared with the smallest, what is left without it, and which sentences it has."""
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


# Ship or don't ship, as tables short enough for the log of a build.


SAYS = {
    "equivalent": "Equivalent: no system is worse, or better, by more than the margin (exit status 0)",
    "not worse": "Not worse: no system is worse by more than the margin (exit status 0)",
    "worse": "Worse: a system is worse by more than the margin (exit status 1)",
    "undecided": "Undecided: the data cannot tell whether a system is worse by more than the margin (exit status 3)",
}


def not_worse_tables(result: NotWorse, style: str = "text") -> list[Table]:
    """A row for each decision; then the sentences that move the differences most. Programs get these as rows too."""
    table = _decision_table(result.decisions, exact=style in DELIMITED)
    pairs = [decision.pair for decision in result.decisions]
    if style in DELIMITED:
        table.title = "decisions"
        return [table, sentence_table(pairs)]
    table.title = SAYS[result.verdict]
    return [table, *(pair_table(pair) for pair in pairs if pair.influential)]


def _decision_table(decisions: Sequence[Decision], *, exact: bool) -> Table:
    columns = ["metric", "baseline", "system", "verdict", "margin", "baseline score", "score", "difference"]
    columns += ["interval", "level", "method", "look"]
    if all(decision.look is None for decision in decisions):
        columns.pop()
    rows: list[Sequence[Cell]] = [_gate_row(decision, exact=exact)[: len(columns)] for decision in decisions]
    comparisons = [decision.comparison for decision in decisions]
    notes = dict.fromkeys(map(_interval_note, decisions))
    table = Table(columns, rows, interval_digits=4)
    table.footnotes = [*notes, MEANS, *directions(comparisons), *signatures(comparisons)]
    return table


def _gate_row(decision: Decision, *, exact: bool) -> list[Cell]:
    compared = decision.comparison
    cells: list[Cell] = [decision.metric, decision.baseline, decision.system, decision.verdict, decision.margin]
    cells += [compared.baseline_score, compared.score, Signed(decision.difference), decision.interval]
    level = decision.interval_level if exact else percent(decision.interval_level)
    return [*cells, level, decision.interval_method, decision.look]


def _interval_note(decision: Decision) -> str:
    """Which interval decides, and why its level is that of the rule or higher."""
    why = []
    if decision.shared > 1:
        why.append(f"all {decision.shared} decisions")
    if decision.look is not None:
        why.append("all looks")
    together = f", so that {' and '.join(why)} together keep {percent(decision.level)}" if why else ""
    look = "" if decision.look is None else f"look {decision.look}, "
    level = percent(decision.interval_level)
    return f"{decision.metric}: {look}the {level} interval of the difference decides (studentised){together}"


MEANS = (
    "worse: all of the interval lies beyond the margin; not worse: none of it does; equivalent: it lies within the "
    "margin on both sides; undecided: anything else"
)
