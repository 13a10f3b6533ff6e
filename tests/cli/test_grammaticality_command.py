"""Grammaticality as typed: scores and, by category, counts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Gecval = Callable[..., Any]
METRIC = 'gecval.metrics.grammaticality:Grammaticality(checker="counts.tsv")'


pytestmark = pytest.mark.usefixtures("folder")


def test_counts_made_elsewhere(gecval: Gecval) -> None:
    lines = zip((2, 1, 0, 2), Path("src.txt").read_text("utf-8").splitlines(), strict=True)
    Path("counts.tsv").write_text("".join(f"{count}\t{line}\n" for count, line in lines), "utf-8")
    scored = json.loads(gecval(f"score copy.txt -s src.txt -m '{METRIC}' --format json").out)["scores"][0]
    assert scored["parts"] == {"errors": 5, "tokens": 16}
    assert scored["score"] == 1 - 5 / 16
    assert gecval(f"score copy.txt -s src.txt -m '{METRIC}' --by-type --format tsv").out.split() == [
        *("category", "copy"),
        *("counted", "5"),
    ]


def test_a_sentence_without_a_count_is_named(gecval: Gecval) -> None:
    Path("counts.tsv").write_text("0\tFine .\n", "utf-8")
    refused = gecval(f"score copy.txt -s src.txt -m '{METRIC}'")
    assert refused.status == 2
    assert refused.err == "gecval: counts.tsv has no count for 'He go to home.'\n"
