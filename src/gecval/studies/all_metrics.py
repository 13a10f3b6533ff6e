"""All metrics that need no files of the user's and no network, nor hours: what a table over all metrics has by default.

Every built-in metric is in one of the two lists.
"""

from __future__ import annotations

from gecval.metrics import Metric, metric, metric_names

ALL = (
    "m2",
    "errant",
    "weighted",
    "cleme",
    'cleme(mode="independent")',
    "cleme2",
    'cleme2(mode="independent")',
    "gotoscorer",
    'uot(model="minilm")',
    "imeasure",
    "gleu",
    "green",
    "sari",
    "max-sari",
    "bleu",
    "ibleu",
    "accuracy",
    "index-match",
    "min-ld",
    "ld",
    "levenshtein",
    "token-sort",
    "lt",
    "scribendi",
    "perplexity",
)
NOT_BY_NAME = {
    "lfm": "it needs a model that `gecval lfm train` makes",
    "some": "it needs the folder of its models",
    "impara": "it needs its model, from the model hub",
    "reward": "it needs a model",
    "llm-judge": "it needs the address of a server",
    "from-file": "it needs files of scores",
    "grammaticality": "its default is lt",
    "interpolated": "it mixes two other metrics",
}


def all_metrics() -> list[Metric]:
    """A metric for each line of the list that this installation knows."""
    known = set(metric_names())
    return [metric(spelling) for spelling in ALL if spelling.partition("(")[0] in known]
