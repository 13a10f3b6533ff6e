"""The documentation builds as a site without a warning, and the site needs no network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import gecval
from docs.pages import ROOT

pytest.importorskip("material", reason="the extra docs is not installed")
# What a browser loads by itself. A link that a reader may follow is no such thing.
LOADED = re.compile(r"<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=[\"']?(?P<address>[^\"'\s>]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        for link in LOADED.finditer(page.read_text("utf-8")):
            address = link["address"]
            assert "//" not in address, f"{page.relative_to(site)} loads {address}"
            if page.name != "404.html":  # written for a server's root
                assert (page.parent / address.split("?")[0].split("#")[0]).exists(), f"{page} loads {address}"


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    built = "".join(page.read_text("utf-8") for page in (site / "api").glob("*.html"))
    assert [name for name in gecval.__all__ if f'id="gecval.{name}"' not in built] == []
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "docs" / "api").glob("*.md"))
    listed = re.findall(r"^::: gecval\.(\w+)$", pages, flags=re.MULTILINE)
    assert sorted(listed) == list(gecval.__all__)


def test_copy_buttons_copy_what_one_types(site: Path) -> None:
    """The theme's button copies ``data-copy`` where a block has it: no prompts, and no output."""
    [shown] = [
        part
        for part in (site / "coming-from.html").read_text("utf-8").split("<div")
        if "errant_compare -hyp hyp.m2 -ref ref.m2\ngecval" in part
    ]
    copied = unescape(re.findall(r'data-copy="([^"]*)"', shown)[0]).split("\n")
    assert [line.split()[0] for line in copied] == ["gecval", "gecval", "gecval", "errant_compare", "gecval"]
    for page in site.rglob("*.html"):
        consoles = re.findall(r'<div class="language-console highlight"([^>]*)>', page.read_text("utf-8"))
        assert all("data-copy=" in attributes for attributes in consoles), page
