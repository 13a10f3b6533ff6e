"""What pages say of cards is what the cards say, and every metric has a card or a reason for none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.pages import ROOT
from gecval.metrics import metric_names

DOCS = ROOT / "docs"
JUDGMENTS = ("GJG15, all", "NSPT15, all", *(f"SEEDA-{x}, {y}" for x in "SE" for y in ("base", "with fluent")))
HALF = 0.0051  # of the last of two digits, and a little: cards have three
Row = dict[str, str]


def tables(path: Path) -> list[list[Row]]:
    """Every table of a page, a mapping from heading to cell for each row."""
    made: list[list[Row]] = []
    for block in re.findall(r"(?:^\|.*\|\n)+", path.read_text("utf-8"), flags=re.MULTILINE):
        heading, _, *lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        made.append([dict(zip(heading, cells, strict=True)) for cells in lines])
    return made


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"[-+]?\d+(?:\.\d+)?", text)]


def card_of(row: Row) -> Path:
    [name] = re.findall(r"\]\((?:cards/)?(\S+\.md)\)", row["metric"])
    return DOCS / "cards" / name


INDEX, WITHOUT = tables(DOCS / "cards" / "index.md")
[_, CHOOSING] = tables(DOCS / "choosing.md")


@pytest.mark.parametrize("row", INDEX, ids=lambda row: card_of(row).stem)
def test_the_index_says_what_the_card_says(row: Row) -> None:
    short = {line["what"]: line for line in tables(card_of(row))[0]}
    for judged in JUDGMENTS:
        line = short[f"agrees with people about systems: r on {judged}"]
        assert numbers(row[judged]) == pytest.approx(numbers(line["figure"] + line["interval"]), abs=HALF)
    maege = short["prefers better corrections of a sentence: MAEGE's τ"]["figure"]
    assert numbers(row["MAEGE τ"]) == pytest.approx(numbers(maege), abs=HALF)
    [most] = [what for what in short if what.startswith("score gained without correcting")]
    points, adversary = row["score gained without correcting"].split(", ")
    assert adversary in most
    assert numbers(points) == pytest.approx(numbers(short[most]["figure"]), abs=HALF)
    cost = row["cost"].removesuffix(" s")
    assert f"- **cost**: {cost} CPU seconds for 1000 sentences" in card_of(row).read_text("utf-8")


@pytest.mark.parametrize("row", CHOOSING, ids=lambda row: card_of(row).stem)
def test_choosing_says_what_the_index_says(row: Row) -> None:
    [line] = [line for line in INDEX if card_of(line) == card_of(row)]
    assert {name: cell for name, cell in row.items() if name != "metric"}.items() <= line.items()


def test_every_metric_has_a_card_or_a_reason_for_none() -> None:
    carded = {card_of(row).stem for row in INDEX}
    reasons = {name for row in WITHOUT for name in re.findall(r"[a-z-]+", row["metric"].partition("]")[0])}
    aliases = {"grammaticality"}  # another name of lt
    assert not carded & reasons
    assert carded | reasons | aliases == set(metric_names())


def test_every_card_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    cards = sorted((DOCS / "cards").glob("*.md"))
    assert [card.name for card in cards if f"cards/{card.name}" not in navigation] == []
    assert {card.name for card in cards} == {card_of(row).name for row in INDEX} | {"index.md"}
