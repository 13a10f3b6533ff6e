"""One self-contained HTML file: the frame ``assets/page.html`` with styles, scripts and data filled in.

The page may run its own two scripts and nothing else, and reach no other host: a Content-Security-Policy names the
hashes of scripts and styles. All text lies in the packed data, so none of it can be taken for HTML.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import cast

from gecval.errors import InputError
from gecval.formats import write_files
from gecval.results import theme
from gecval.studies.report.payload import payload
from gecval.studies.report.result import Overview

ENGINE = ("arrays.js", "formulas.js", "rules.js", "sampling.js", "scores.js")  # a worker runs these too
ROLES = ("SYSTEM", "PEOPLE", "REFERENCE", "HIGHLIGHT", "POSITIVE", "NEGATIVE", "REMAINDER", "FAINT")


def write_page(overview: Overview, path: str | Path, *, title: str = "", corpus: str = "", date: str = "") -> None:
    """Write what ``overview`` gives as one HTML page that needs no network, complete or not at all.

    Parameters
    ----------
    overview
        What the page shows.
    path
        The file to write.
    title
        By default one from the names of the corpus and the systems.
    corpus
        The name of the test set, for the reader.
    date
        The day on which the scores were made, for the reader.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from gecval import Corpus, overview
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> seen = overview(corpus, {"mine": ["He goes home .", "Fine ."]}, ["gleu"], edits="plain")
    >>> with TemporaryDirectory() as folder:
    ...     write_page(seen, Path(folder, "report.html"), title="My system")
    """
    if not isinstance(cast(object, overview), Overview):
        other = "; a card has save(path)" if hasattr(overview, "save") else ""
        raise InputError(f"write_page takes what gecval.overview gives, not {type(overview).__name__}{other}")
    html = page(overview, title=title, corpus=corpus, date=date)
    write_files({Path(path): html.removesuffix("\n").split("\n")})


def page(
    overview: Overview, *, title: str = "", corpus: str = "", date: str = "", home: tuple[str, str] | None = None
) -> str:
    """The report as HTML. ``home`` is the address and the name of the page that it belongs to, if there is one."""
    title = title or default_title(overview, corpus)
    shown = payload(overview, title=title, corpus=corpus, date=date)
    parts = {
        **_own(),
        "data": "\n".join(['<script type="application/octet-stream" id="gecval-parts">', *shown, "</script>"]),
        "title": escape(" ".join(title.split())),
        "language": "en",  # that of the page's own words
        "home": f'<a class="home" href="{escape(home[0])}">{escape(home[1])}</a>' if home else "",
        "csp": policy(),
    }
    return _filled(_asset("page.html"), parts)


def default_title(overview: Overview, corpus: str) -> str:
    """Who was tested, and on what."""
    names = overview.systems
    who = " and ".join(names) if len(names) < 3 else f"{len(names)} systems"
    return f"{who} on {corpus or f'{overview.sentences:,} sentences'}"


def policy() -> str:
    """The Content-Security-Policy that every report has: whoever serves reports can send it as a header too."""
    own = _own()
    return _policy([own["engine"], own["script"]], own["style"])


def _own() -> dict[str, str]:
    """The styles and scripts, the same in every report."""
    names = _asset("scripts.txt").split()
    return {
        "style": f"{theme_css()}\n{_asset('style.css')}",
        "engine": _scripts(name for name in names if name in ENGINE),
        "script": _scripts(name for name in names if name not in ENGINE),
    }


def theme_css() -> str:
    """The theme's colours and fonts as CSS variables, by their role."""
    variables = {
        "paper": f"light-dark({theme.PAPER}, {theme.DARK_PAPER})",
        "ink": f"light-dark({theme.INK}, {theme.DARK_INK})",
        "grid": f"light-dark({theme.GRID}, {theme.DARK_GRID})",
        **{role.lower(): getattr(theme, role) for role in ROLES},
        **{f"category-{number}": colour for number, colour in enumerate(theme.CATEGORIES, start=1)},
        "on-dark-cell": theme.ON_DARK_CELL,
        "on-light-cell": theme.ON_LIGHT_CELL,
        "font": theme.FONT,
    }
    return ":root {\n" + "\n".join(f"  --{name}: {value};" for name, value in variables.items()) + "\n}"


def _scripts(names: Iterable[str]) -> str:
    return "\n".join(_asset(name) for name in names)


def _asset(name: str) -> str:
    return (files("gecval.studies.report") / "assets" / name).read_text("utf-8")


def _filled(frame: str, parts: dict[str, str]) -> str:
    """The frame with each mark replaced once. What is filled in is not looked at for marks."""
    pieces = re.split(r"\{\{(\w+)\}\}", frame)
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _policy(scripts: list[str], style: str) -> str:
    """What the browser may do with the page."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {' '.join(map(_source_hash, scripts))}",
            f"style-src {_source_hash(style)}",
            "worker-src blob:",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _source_hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
