"""Studies: one folder per question that a user asks. Each returns one complete result.

A folder holds all of its question: ``study`` (or one module for each part), ``result`` where it is long, ``tables``,
``charts``, ``command``. To add a study, add its folder, a line here, and a page in docs.
"""

from __future__ import annotations

from typing import NamedTuple


class Study(NamedTuple):
    """A command and the folder that it lives in. Nothing is imported before it is called."""

    command: str
    folder: str
    group: str  # the heading under which ``gecval --help`` lists it
    purpose: str  # the first sentence of the command's own help


STUDIES = [
    Study("score", "scores", "Score systems", "Score system outputs."),
    Study("compare", "compare", "Score systems", "Test systems against a baseline."),
    Study("report", "report", "Score systems", "Write one HTML page about system outputs that needs no network."),
    Study("explain", "explain", "Score systems", "Say what each edit adds to a score."),
    Study("explain-difference", "explain_difference", "Score systems", "Say why two scores differ."),
    Study("metrics", "metrics", "Score systems", "List every metric."),
    Study(
        "power",
        "power",
        "Decide",
        "Say how likely compare is to find a difference, and how many sentences that takes.",
    ),
    Study("track", "track", "Decide", "Keep scores per commit in one file, and see where they changed."),
    Study(
        "true-precision",
        "true_precision",
        "Decide",
        "Correct precision, recall and F for valid edits that no reference has.",
    ),
    Study("buy-references", "buy_references", "Decide", "List the sentences that one more annotator should correct."),
    Study(
        "doctor",
        "doctor",
        "Look after corpora",
        "Say what is in a corpus and what is suspicious, and the command that fixes it.",
    ),
    Study(
        "agreement", "agreement", "Look after corpora", "Say how far annotators agree, and who is far from the others."
    ),
    Study("data", "data", "Look after corpora", "List and fetch the public data sets."),
    Study(
        "maege", "maege", "Trust a metric", "Validate metrics on corrections of known order, without human rankings."
    ),
    Study(
        "human",
        "human",
        "Trust a metric",
        "Rank systems by human judgments, and see which metric agrees with people.",
    ),
    Study("coverage", "coverage", "Trust a metric", "Say how much of a system's quality the references hide."),
    Study("undercorrection", "undercorrection", "Trust a metric", "Compare how much systems and references change."),
    Study("validate", "validate", "Trust a metric", "Make the card of a metric: all that can be measured about it."),
    Study("attack", "attack", "Trust a metric", "Say how many points METRIC gives to outputs that correct nothing."),
    Study("cost", "cost", "Trust a metric", "Count the prompts and tokens of llm-judge, and ask nothing."),
    Study("lfm", "lfm", "Trust a metric", "Train a linguistic-feature model of grammaticality."),
    Study("reproduce", "reproduce", "Trust a metric", "Print the tables of a paper, published figures next to ours."),
    Study(
        "filter",
        "pairs",
        "Large files, parts and records",
        "Keep the rows of PAIRS that fulfil a condition, with their scores.",
    ),
    Study(
        "merge",
        "merge",
        "Large files, parts and records",
        "Give the scores, intervals and tests of a corpus whose parts were scored apart.",
    ),
    Study(
        "verify",
        "verify",
        "Large files, parts and records",
        "Compute the scores of a passport again, without the data.",
    ),
    Study(
        "cache", "cache", "Large files, parts and records", "Say which answers of models are cached, or remove them."
    ),
]
