"""Studies: one folder per question that a user asks. Each returns one complete result.

A folder holds all of its question: ``study`` (or one module for each part), ``result`` where it is long, ``tables``,
``charts``, ``command``. To add a study, add its folder, a line here, and a page in docs.
"""

from __future__ import annotations

from typing import NamedTuple

# The headings of ``gecval --help``.
EVERY_DAY, CORPORA, TEST_SETS = "Every day", "Corpora and files", "Test sets and releases"
METRICS = "Is a metric right"


class Study(NamedTuple):
    """A command and the folder that it lives in. Nothing is imported before it is called."""

    command: str  # one word; or two, where the first also is a command, or gathers several
    folder: str
    group: str  # the heading under which ``gecval --help`` lists it; commands of two words stand below their first
    purpose: str  # one line for the help


STUDIES = [
    Study("score", "scores", EVERY_DAY, "Score outputs, with intervals, by type or by sentence."),
    Study("compare", "compare", EVERY_DAY, "Is B better than A? Tests, rankings and release gates."),
    Study("report", "report", EVERY_DAY, "Write one HTML page: scores, tests and every sentence."),
    Study("explain", "explain", EVERY_DAY, "Why is the score what it is? Edits, signatures, passports."),
    Study("explain difference", "explain_difference", "", "Say why two scores differ."),
    Study("explain verify", "verify", "", "Compute the scores of a passport again, without the data."),
    Study("doctor", "doctor", EVERY_DAY, "Is my corpus in order? Findings, and the command that fixes each."),
    Study("doctor agreement", "agreement", "", "Say how far annotators agree, and who is far from the others."),
    Study("metrics", "metrics", EVERY_DAY, "List the metrics, or show some in full; what a judge would cost."),
    Study("metrics cost", "cost", "", "Count the prompts and tokens of llm-judge, and ask nothing."),
    Study("data", "data", CORPORA, "List, fetch and check the public data sets."),
    Study("files filter", "pairs", "", "Keep the rows of a file of pairs that fulfil a condition."),
    Study("files merge", "merge", "", "Join the scores of parts that were scored apart."),
    Study("files cache", "cache", "", "Say which answers of models are cached, or remove them."),
    Study("power", "power", TEST_SETS, "Is the test set large enough for a difference?"),
    Study("track", "track", TEST_SETS, "Keep scores per commit in one file, and see where they changed."),
    Study("coverage", "coverage", TEST_SETS, "What do the references hide? Which ones to buy next."),
    Study("coverage undercorrection", "undercorrection", "", "Compare how much systems and references change."),
    Study("coverage true-precision", "true_precision", "", "Correct ERRANT for valid edits that no reference has."),
    Study("coverage buy-references", "buy_references", "", "List the sentences to be corrected once more."),
    Study("human", "human", METRICS, "Rank systems by human judgments; which metric agrees?"),
    Study("maege", "maege", METRICS, "Validate metrics without people, on corrections of known order."),
    Study("validate", "validate", METRICS, "Make the card of a metric: all that can be measured about it."),
    Study("attack", "attack", METRICS, "Try outputs that correct nothing: how many points do they get?"),
    Study("lfm", "lfm", METRICS, "Train a linguistic-feature model of grammaticality."),
    Study("reproduce", "reproduce", METRICS, "Print the tables of a paper, published figures next to ours."),
]
