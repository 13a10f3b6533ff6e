"""One file names the colours of all charts, and people can tell them apart."""

from __future__ import annotations

import ast
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import gecval
from gecval.results import theme

ROOT = Path(gecval.__file__).parent
# Colours by name that CSS and vega know, as a word of a string alone; and those in figures.
# Not gold: corpora have gold edits.
NAMED = re.compile(
    r"black|white|red|green|blue|yellow|orange|purple|grey|gray|brown|pink|cyan|magenta|teal|navy|maroon|olive|"
    r"lime|aqua|silver|firebrick|lightgrey|lightgray|darkgrey|darkgray|steelblue|tomato|crimson|salmon|indigo|"
    r"violet|orangered|darkred|darkblue|darkgreen|lightblue",
    re.IGNORECASE,
)
IN_FIGURES = re.compile(r"#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(", re.IGNORECASE)
SCHEMES = re.compile(r"scheme\s*=\s*[\"']")

# Machado et al. (2009): what is seen where one kind of cone is missing, in linear RGB.
SIGHT = {
    "full": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: str) -> np.ndarray:
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    x, y, z = (
        np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in XYZ @ np.clip(rgb, 0, 1) / [0.9505, 1, 1.089]
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(a: str, b: str) -> float:
    """The Web Content Accessibility Guidelines' ratio, from 1 to 21."""
    low, high = sorted(float(XYZ[1] @ linear(colour)) for colour in (a, b))
    return (high + 0.05) / (low + 0.05)


def colours_named_in(path: Path) -> list[str]:
    """The strings of a module that are colours."""
    tree = ast.parse(path.read_text("utf-8"))
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = [text for text in strings if NAMED.fullmatch(text.strip()) or IN_FIGURES.search(text)]
    return named + SCHEMES.findall(path.read_text("utf-8"))


VIEWS = sorted([*ROOT.glob("results/*.py"), *ROOT.glob("studies/*/tables.py"), *ROOT.glob("studies/*/charts.py")])


@pytest.mark.parametrize("path", VIEWS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_other_file_names_a_colour(path: Path) -> None:
    if path.name == "theme.py":
        assert len(colours_named_in(path)) > 10
    else:
        assert colours_named_in(path) == []


@pytest.mark.parametrize("sight", SIGHT)
def test_categories_are_distinguishable(sight: str) -> None:
    seen = {colour: lab(np.asarray(SIGHT[sight]) @ linear(colour)) for colour in theme.CATEGORIES}
    distances = {(a, b): float(np.linalg.norm(seen[a] - seen[b])) for a, b in combinations(theme.CATEGORIES, 2)}
    assert min(distances.values()) > 15  # 2 is the least that can be seen side by side
    assert float(np.linalg.norm(seen[theme.SYSTEM] - seen[theme.PEOPLE])) > 40
    assert float(np.linalg.norm(seen[theme.POSITIVE] - seen[theme.NEGATIVE])) > 40


def test_systems_and_people_differ_in_a_black_and_white_print() -> None:
    assert abs(lab(linear(theme.SYSTEM))[0] - lab(linear(theme.PEOPLE))[0]) > 8


@pytest.mark.parametrize("role", ["SYSTEM", "PEOPLE", "REFERENCE", "HIGHLIGHT", "POSITIVE", "NEGATIVE"])
def test_roles_are_seen_on_white_and_on_dark_pages(role: str) -> None:
    assert contrast(getattr(theme, role), theme.PAPER) >= 3
    assert contrast(getattr(theme, role), theme.DARK_PAPER) >= 3


def test_text_can_be_read_on_both_pages() -> None:
    assert contrast(theme.INK, theme.PAPER) > 7
    assert contrast(theme.DARK_INK, theme.DARK_PAPER) > 7


def test_a_dark_theme_differs_in_its_page_alone() -> None:
    light, dark = theme.theme(), theme.theme(dark=True)
    assert light["background"] == theme.PAPER
    assert dark["background"] == theme.DARK_PAPER
    assert light["range"] == dark["range"]
    assert light["mark"] == dark["mark"]
