"""A paper's table: precision, recall and score ± interval of each metric, marks where a difference is significant.

Below it stand what a reader must know: a caption with the test and the resamples, a sentence for the text, and the
papers to cite in BibTeX.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from itertools import groupby
from typing import ClassVar

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.datasets.catalog import name_corpus
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate
from gecval.results.latex import latex_cell, latex_line, latex_text, text_width
from gecval.results.result import Result
from gecval.results.signature import Signature
from gecval.results.table import DELIMITED, Cell, Numbers, P, Table, percent
from gecval.runtime.run import HERE, Run
from gecval.stats.paired_tests import NAMES, Correction
from gecval.stats.ranking import Contest
from gecval.stats.resampling import ANNOTATORS, Confidence
from gecval.studies.compare.result import Comparison
from gecval.studies.compare.study import compare
from gecval.studies.scores.preparation import Edits
from gecval.studies.scores.result import Score, Scores, long_table
from gecval.studies.scores.scored_system import correct_comparisons
from gecval.studies.scores.study import score

MARK = "†"
SMALL, GAP, COLUMN = 0.9, 8.0, 219.0  # of letters; points between two columns of a table, and of a column of a page
# A metric's papers where it names more than one at once.
_SEVERAL = {"Napoles et al. 2015, 2016": ("Napoles et al. 2015", "Napoles et al. 2016, GLEU")}
_COUNT = {1: "one reference", 2: "two references", 3: "three references", 4: "four references"}


@dataclass(frozen=True, kw_only=True, repr=False)
class PaperScores(Result):
    """Scores with intervals, tests against a baseline or the best system, and what to write next to them."""

    kind: ClassVar[str] = "paper-scores"
    view: ClassVar[str] = "paper_tables"
    main: ClassVar[str] = "scores"

    scores: tuple[Score, ...]
    comparisons: tuple[Comparison, ...]
    names: Mapping[str, str]  # of metrics, as papers write them
    against: str  # what every system is tested against
    caption: str
    sentence: str
    bibliography: tuple[str, ...]

    def render(
        self, style: str = "text", *, width: int | None = None, numbers: Numbers | None = None, **view: object
    ) -> str:
        """The table, then caption, sentence and papers; in LaTeX the whole float."""
        chosen = numbers or Numbers()
        text = super().render(style, width=width, numbers=chosen, digits=1 if chosen.digits is None else chosen.digits)
        if style in ("json", "jsonl", *DELIMITED):
            return text
        if style == "latex":
            return self._latex_float(1 if chosen.digits is None else chosen.digits)
        papers, signatures = "\n\n".join(self.bibliography), "\n".join(self.signatures)
        if style == "html":
            return f"{text}<p>{self.caption}</p><p>{self.sentence}</p><pre>{signatures}\n\n{papers}</pre>"
        if style == "markdown":
            papers, signatures = f"```bibtex\n{papers}\n```", f"```text\n{signatures}\n```"
        caption = self.caption.replace(" (bold)", "") if style == "text" else self.caption
        return "\n\n".join([text.rstrip(), caption, self.sentence, signatures, papers])

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signature of each metric, for an appendix."""
        return tuple(dict.fromkeys(row.signature for row in self.scores))

    def _latex_float(self, digits: int) -> str:
        """One tabular, in a float over both columns of a page where one is too narrow; then comments."""
        table = paper_tables(self, "latex", digits=digits)[0]
        rows = [list(map(str, row)) for row in table.rows]
        lines = [
            latex_line([latex_cell(cell, bold=(r, c) in table.bold) for c, cell in enumerate(row)])
            for r, row in enumerate(rows)
        ]
        heads = [_split_name(name) for name in table.columns]
        above = [(name, len(list(group))) for name, group in groupby(name for name, _ in heads)]
        widths = [max(map(text_width, column)) for column in zip((head for _, head in heads), *rows, strict=True)]
        place = "table*" if SMALL * sum(widths) + GAP * len(widths) > COLUMN else "table"
        return "\n".join(
            [
                rf"\begin{{{place}}}[t]",
                rf"\centering\small\setlength{{\tabcolsep}}{{{GAP / 2:g}pt}}",
                rf"\begin{{tabular}}{{@{{}}l{'r' * (len(widths) - 1)}@{{}}}}",
                r"\toprule",
                latex_line(
                    [rf"\multicolumn{{{n}}}{{c}}{{{latex_text(name)}}}" if n > 1 else name for name, n in above]
                ),
                latex_line([latex_text(head) for _, head in heads]),
                r"\midrule",
                *lines,
                r"\bottomrule",
                r"\end{tabular}",
                rf"\caption{{{latex_text(self.caption)}}}",
                r"\label{tab:scores}",
                rf"\end{{{place}}}",
                f"% {latex_text(self.sentence)}",
                *(f"% {line}" for text in (*self.signatures, *self.bibliography) for line in text.splitlines()),
            ]
        )


def paper_table(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    *,
    baseline: str | None = None,
    aggregate: Aggregate | Contest = "corpus",
    confidence: Confidence = True,
    correction: Correction = "holm",
    edits: Edits = None,
    run: Run = HERE,
) -> PaperScores:
    """Make the table of a paper.

    Parameters
    ----------
    baseline
        The system that all others are tested against; by default the best one under each metric.

    Examples
    --------
    >>> from gecval import load_sample, metric
    >>> corpus, systems = load_sample()
    >>> table = paper_table(corpus, systems[:2], [metric("m2")], baseline="timid")
    >>> table.against, table.names
    ('timid', {'m2': 'M² F0.5'})
    """
    if len(systems) < 2:
        raise InputError(
            "a paper's table tests differences: give two systems or more; for one: --ci --format latex",
            parameter="systems",
        )
    scores = score(corpus, systems, metrics, aggregate=aggregate, confidence=confidence, edits=edits, run=run)
    comparisons: list[Comparison] = []
    for of_metric in [metrics] if baseline else [[metric] for metric in metrics]:
        fixed = baseline or _best(scores, repr(of_metric[0]))
        comparisons += compare(
            corpus,
            fixed,
            list(systems),
            of_metric,
            aggregate=aggregate,
            confidence=confidence,
            correction="none",
            edits=edits,
            run=run,
        )
    comparisons = list(correct_comparisons(comparisons, correction))
    names = {repr(metric): _name(metric) for metric in metrics}
    papers = [paper for metric in metrics for paper in _SEVERAL.get(metric.paper, (metric.paper,))]
    return PaperScores(
        scores=tuple(scores),
        comparisons=tuple(comparisons),
        names=names,
        against=baseline or "the best",
        caption=_caption(corpus, scores, comparisons, names, baseline),
        sentence=_sentence(corpus, scores, comparisons, metrics, names),
        bibliography=(*filter(None, map(_entry, dict.fromkeys(papers))), _own_entry()),
        notes=tuple(dict.fromkeys([*scores.notes, *(note for row in comparisons for note in row.notes)])),
    )


def _best(scores: Scores, metric: str) -> str:
    listed = [row for row in scores if row.metric == metric]
    return (max if listed[0].higher_is_better else min)(listed, key=lambda row: row.score).system


def _name(metric: Metric) -> str:
    """M² F0.5, ERRANT F0.5, GLEU."""
    beta = metric.parameters().get("beta")
    name = re.sub(r" \(beta=[^)]*\)", "", metric.proper_name)
    return name if beta is None else f"{name} F{beta:g}"


def _join(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _caption(
    corpus: Corpus, scores: Scores, comparisons: Sequence[Comparison], names: Mapping[str, str], baseline: str | None
) -> str:
    known = name_corpus(corpus.source_hash)
    where = f" on {f'the {known}, ' if known else ''}{len(corpus):,} sentences"
    level = percent(scores[0].level) if scores[0].level is not None else ""
    interval = _INTERVALS.get(_interval_method(scores), "bootstrap interval")
    correction = comparisons[0].correction
    corrected = f", corrected by {NAMES[correction]} method" if correction != "none" else ""
    other = baseline or "the best system (bold)"
    shares = [name for metric, name in names.items() if _in_percent(row for row in scores if row.metric == metric)]
    percents = f", in percent{f': {_join(shares)}' if len(shares) < len(names) else ''}" if shares else ""
    return (
        f"{_join(list(names.values()))}{where}{percents}. ± is half the width of the {level} {interval}. "
        f"{MARK} marks systems that differ significantly from {other} (p < 0.05, {_test(comparisons)}{corrected})."
    )


# Intervals that draw no resamples.
_INTERVALS = {"studentised": "studentised interval", ANNOTATORS: "interval over sentences and annotators"}


def _interval_method(scores: Scores) -> str:
    return Signature.parse(scores[0].signature).fields.get("interval", "")


def _test(comparisons: Sequence[Comparison]) -> str:
    if Signature.parse(comparisons[0].signature).fields.get("interval") == ANNOTATORS:
        return "t test over sentences and annotators"
    return "studentised randomisation test"


def _sentence(
    corpus: Corpus,
    scores: Scores,
    comparisons: Sequence[Comparison],
    metrics: Sequence[Metric],
    names: Mapping[str, str],
) -> str:
    cited = [f"{names[repr(metric)]} ({metric.paper})" for metric in metrics]
    count = corpus.reference_count
    references = _COUNT.get(int(count), f"{count} references") if count.isdigit() else f"{count} references"
    resamples = int(Signature.parse(scores[0].signature).fields.get("resamples", 0))
    interval = _INTERVALS.get(_interval_method(scores), f"bootstrap interval ({resamples:,} resamples)")
    correction = comparisons[0].correction
    corrected = f"; p is corrected by {NAMES[correction]} method" if correction != "none" else ""
    return (
        f"Scores are {_join(cited)} against {references}, computed with gecval {version('gecval')}. Intervals are "
        f"{interval.replace('interval', 'intervals', 1)}, and differences are tested by a {_test(comparisons)}"
        f"{corrected}."
    )


@cache
def _papers() -> dict[str, tuple[str, str, str, int]]:
    text = files("gecval.metrics").joinpath("papers.json").read_text("utf-8")
    return {name: tuple(entry) for name, entry in json.loads(text).items()}


def _entry(paper: str) -> str:
    """A paper in BibTeX; empty where its entry is not known."""
    if paper not in _papers():
        return ""
    authors, title, venue, year = _papers()[paper]
    key = f"{authors.split(' and ')[0].split()[-1].lower()}-{year}-{title.split()[0].strip(':').lower()}"
    kind, where = ("misc", "howpublished") if venue.startswith("arXiv") else ("inproceedings", "booktitle")
    kind, where = ("article", "journal") if venue == "TACL" else (kind, where)
    return (
        f"@{kind}{{{key},\n  author = {{{authors}}},\n  title = {{{{{title}}}}},\n  {where} = {{{venue}}},\n"
        f"  year = {{{year}}}\n}}"
    )


def _own_entry() -> str:
    fields = ["author = {{The gecval authors}}", "title = {gecval}", f"version = {{{version('gecval')}}}"]
    return "@software{gecval,\n  " + ",\n  ".join(fields) + "\n}"


# The table that shows it.


def paper_tables(paper: PaperScores, style: str = "text", *, digits: int = 1) -> list[Table]:
    """A row per system; per metric P, R and the score ± half its interval, with a mark. For programs, exact scores."""
    if style in DELIMITED:
        return [_tested_table(paper)]
    columns = ["system"]
    rows: list[list[Cell]] = [[system] for system in dict.fromkeys(row.system for row in paper.scores)]
    bold: set[tuple[int, int]] = set()
    marked = {(row.metric, row.system) for row in paper.comparisons if row.significant}

    def add(name: str, cells: Iterable[str]) -> None:
        columns.append(name)
        for row, cell in zip(rows, cells, strict=True):
            row.append(cell)

    for metric, name in paper.names.items():
        of_metric = [row for row in paper.scores if row.metric == metric]
        best = (max if of_metric[0].higher_is_better else min)(row.score for row in of_metric)
        share = 100 if _in_percent(of_metric) else 1
        short = re.sub(r" F[\d.]+$", "", name)
        for part, letter in (("precision", "P"), ("recall", "R")):
            if part in of_metric[0].parts:
                add(f"{short} {letter}", [f"{100 * row.parts[part]:.{digits}f}" for row in of_metric])
        bold |= {(r, len(columns)) for r, row in enumerate(of_metric) if row.score == best}
        halves = [(row.interval.high - row.interval.low) / 2 if row.interval else None for row in of_metric]
        add(
            name,
            [
                f"{share * row.score:.{digits}f}"
                + (f" ± {share * half:.{digits}f}" if half is not None else "")
                + (MARK if (metric, row.system) in marked else "")
                for row, half in zip(of_metric, halves, strict=True)
            ],
        )
    return [Table(columns, list(rows), bold=bold)]


def _tested_table(paper: PaperScores) -> Table:
    """A row per score with everything known about it, and its test: a mark says that p < 0.05, as in the table."""
    tests = {(row.metric, row.system): row for row in paper.comparisons}
    table = long_table(paper.scores)
    columns = [*table.columns[:4], "against", "p", "significant", *table.columns[4:]]
    rows: list[Sequence[Cell]] = []
    for score_row, row in zip(paper.scores, table.rows, strict=True):
        test = tests.get((score_row.metric, score_row.system))
        tested: list[Cell] = [None] * 3
        if test is not None:
            tested = [test.baseline, P(test.p), "yes" if test.significant else "no"]
        rows.append([*row[:4], *tested, *row[4:]])
    return replace(table, columns=columns, rows=rows)


def _split_name(column: str) -> tuple[str, str]:
    """What stands above several columns, and the heading of this one.

    >>> _split_name("ERRANT F0.5"), _split_name("GLEU")
    (('ERRANT', 'F0.5'), ('', 'GLEU'))
    """
    found = re.fullmatch(r"(.+) (P|R|F[\d.]+)", column)
    return (found[1], found[2]) if found else ("", column)


def _in_percent(scores: Iterable[Score]) -> bool:
    """Whether scores of a metric lie between -1 and 1; those of perplexity do not."""
    return all(abs(row.score) <= 1 for row in scores)
