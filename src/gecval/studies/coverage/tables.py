"""Coverage as tables."""

from __future__ import annotations

from gecval.results.table import DELIMITED, UNKNOWN, Cell, Table, percent
from gecval.stats import Interval
from gecval.studies.coverage.result import BreakEven, CrowdCoverage, ReferenceCoverage, Unit, Validity

EQUAL: dict[Unit, str] = {
    "exact": "the same words; case and punctuation do not count",
    "cased": "the same words, with case; punctuation does not count",
    "text": "the same characters, but for the number of blanks",
    "index": "changed the same source words, and added as many; case and punctuation do not count",
}
NO_INTERVAL = Interval(UNKNOWN, UNKNOWN)
FEWEST_SENTENCES = 20
FEW_SENTENCES = f"intervals of fewer than {FEWEST_SENTENCES} sentences are too narrow: they hardly show how they differ"
ONE_SENTENCE = "no interval: one sentence does not show how much sentences differ"


def crowd_tables(result: CrowdCoverage, style: str = "text") -> list[Table]:
    """How many corrections there are, then coverage and scores for each number of references."""
    return [threshold_table(result), coverage_table(result), *([validity_table(result)] if result.validity else [])]


def threshold_table(result: CrowdCoverage) -> Table:
    """The mean number of corrections above each frequency, and their probability (Tables 1 and 4)."""
    table = Table(["frequency at least", "variants", "mass"], title="Corrections per sentence", digits=3)
    table.plain = ["frequency at least", "variants"]
    table.rows = [[row.frequency, round(row.variants, 2), row.mass] for row in result.thresholds]
    if result.summary:
        given, (low, high) = result.summary, result.summary.variants
        table.footnotes = [
            f"{result.sentences} sentences, {given.corrections:.1f} corrections each, {given.different:.1f} of them "
            "different",
            f"two corrections are equal if they have {EQUAL[result.unit or 'exact']}",
            f"{low:.0f} to {high:.0f} variants would explain the corrections nearly as well: their number is "
            "uncertain, coverage is less so",
        ]
    else:
        table.footnotes = [f"from {result.sentences} histograms"]
    return table


def validity_table(result: CrowdCoverage) -> Table:
    """A row per number of people who gave a correction: how many answers call it valid."""
    interval = f"{percent(result.level)} interval"
    columns = ["given by", "corrections", "answers", "yes", "share", interval, "valid by most answers"]
    table = Table(columns, title="Are rare corrections valid?", digits=3, level=result.level, main="share")
    for row in result.validity:
        table.rows.append(
            [
                people_who_gave(row),
                row.corrections,
                row.answers,
                row.yes,
                row.share,
                row.interval or NO_INTERVAL,
                row.valid_by_most / row.corrections,
            ]
        )
    table.footnotes = ["if the share is as high for few people as for many, what references miss is not noise"]
    return table


def people_who_gave(row: Validity) -> str:
    """How many people gave the corrections of a row, in words."""
    if row.least is None:
        return "all"
    if row.most is None:
        return f"{row.least} or more people"
    if row.least == row.most:
        return f"{row.least} {'person' if row.least == 1 else 'people'}"
    return f"{row.least} to {row.most} people"


def coverage_table(result: CrowdCoverage) -> Table:
    """A row per number of references: coverage, and what a perfect system scores."""
    interval = f"{percent(result.level)} interval"
    extrapolated = [point.range for point in result.curve if point.range]
    columns = ["references", "coverage", interval, "hidden", "extrapolated"]
    columns += [*(["range"] if extrapolated else []), "different references"]
    columns += [column for metric in result.metrics for column in (metric, f"{metric} {interval}")]
    scores = {(score.metric, score.references): score for score in result.scores}
    table = Table(columns, digits=3, level=result.level)
    table.title = "A perfect system's expected accuracy, and its scores" if scores else "A perfect system's accuracy"
    for point in result.curve:
        row: list[Cell] = [point.references, point.observed, point.observed_interval or NO_INTERVAL]
        row += [point.bias, point.with_replacement]
        row += [*([point.range or NO_INTERVAL] if extrapolated else []), point.without_replacement]
        for metric in result.metrics:
            score = scores[metric, point.references]
            row += [score.score, score.interval]
        table.rows.append(row)
    table.footnotes = [
        "coverage: how much the corrections of M people cover, counted among the people who were asked; it has no bias",
        "extrapolated: the same by the estimated histograms, which may be too high or too low",
        "different references: likewise, for M corrections that all differ",
        "hidden: what is not covered; extrapolated where there are not more than M corrections of every sentence",
    ]
    if extrapolated:
        table.footnotes.append("range: by all histograms that fit nearly as well, for other sentences too")
    if result.test_set:
        once = "" if result.test_set.replacement else ", each person's correction drawn once at most"
        table.footnotes.append(
            f"scores: on a simulated test set of {result.test_set.sentences} sentences, {result.test_set.correct} of "
            f"them correct{once}"
        )
    lower = dict.fromkeys(score.metric for score in result.scores if not score.higher_is_better)
    table.footnotes += [f"{metric}: lower is better" for metric in lower]
    table.footnotes += [] if result.sentences > 1 else [ONE_SENTENCE]
    table.footnotes += [FEW_SENTENCES] if 1 < result.sentences < FEWEST_SENTENCES else []
    return table


def reference_tables(result: ReferenceCoverage, style: str = "text") -> list[Table]:
    """What the references cover, then what they hide from systems, then systems and people."""
    tables = [answer_table(result, style)]
    tables += [true_score_table(result)] if result.true_scores else []
    return [*tables, people_table(result)] if result.people else tables


def answer_table(result: ReferenceCoverage, style: str = "text") -> Table:
    """What the references of a corpus cover, and what follows from it; the reason where they cannot tell."""
    table = Table(["question", "answer", "remark"], title=f"{result.references} references a sentence", digits=3)
    halving = "at least, and at most" if result.to_halve else "all references agree: what they miss does not show"
    table.rows = [
        ["how likely is a valid correction among them?", result.coverage, None],
        [f"… {percent(result.level)} interval, for other sentences too", *_interval(result)],
        ["… under all histograms that fit nearly as well", result.range, None],
        ["… if it changes the source", *_answer(result.changed, "no reference changes it")],
        ["… if it leaves the source alone", *_answer(result.unchanged, "no reference leaves it alone")],
        ["how many more references would halve what is hidden?", result.to_halve or NO_INTERVAL, halving],
    ]
    price = f" (a wrong one costs {result.alpha:g})" if result.alpha else ""
    unknown = "no reference changes the source" if result.changed is None else "no two references agree on a change"
    for value in result.break_even:
        question = f"p_correct from which correcting pays if p_detect is {value.p_detect:g}{price}"
        table.rows.append([question, *_answer(value.p_correct, unknown, _remark(value))])
    if style in DELIMITED:  # numbers and ranges each have a column
        table.columns = ["question", "answer", "range", "remark"]
        table.rows = [
            [question, *((None, answer) if isinstance(answer, Interval) else (answer, None)), remark]
            for question, answer, remark in table.rows
        ]
    return table


def _interval(result: ReferenceCoverage) -> list[Cell]:
    return [result.interval, None] if result.interval else [NO_INTERVAL, ONE_SENTENCE]


def _answer(value: float | None, unknown: str, remark: str | None = None) -> list[Cell]:
    return [UNKNOWN, unknown] if value is None else [value, remark]


def _remark(value: BreakEven) -> str | None:
    return "above 1: never" if value.ever_pays is False else None


def true_score_table(result: ReferenceCoverage) -> Table:
    """Accuracy as measured, and corrected for coverage."""
    interval = f"{percent(result.level)} interval"
    columns = ["system", "accuracy", interval, "true accuracy", f"true {interval}"]
    table = Table(columns, title="Accuracy, measured and corrected for coverage", digits=3, level=result.level)
    table.rows = [
        [
            score.system,
            score.accuracy,
            score.interval or NO_INTERVAL,
            score.true_accuracy,
            score.true_interval or NO_INTERVAL,
        ]
        for score in result.true_scores
    ]
    table.footnotes = ["this assumes that a system, where it is right, chooses among valid corrections as people do"]
    table.footnotes += [] if all(score.interval for score in result.true_scores) else [ONE_SENTENCE]
    return table


def people_table(result: ReferenceCoverage) -> Table:
    """Systems and people, against the same references."""
    interval = f"{percent(result.level)} interval"
    with_intervals = any(score.interval for score in result.people)
    columns = ["metric", "system", "score", *([interval] if with_intervals else []), "people"]
    columns += [*([f"people's {interval}"] if with_intervals else []), "ratio"]
    table = Table(columns, title="Systems and people, each annotator in turn left out", digits=3, plain=["ratio"])
    table.level = result.level
    for score in result.people:
        row: list[Cell] = [score.metric, score.system, score.score]
        row += [score.interval, score.people, score.people_interval] if with_intervals else [score.people]
        table.rows.append([*row, score.ratio])
    table.bold = {(r, 2) for r, score in enumerate(result.people) if score.above_people}
    table.bold_note = "a system above people"
    table.footnotes = ["a system above people is not better than they are: it is better covered"] if table.bold else []
    lower = dict.fromkeys(score.metric for score in result.people if not score.higher_is_better)
    table.footnotes += [f"{metric}: lower is better" for metric in lower]
    return table
