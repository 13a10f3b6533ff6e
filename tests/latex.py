r"""Does a table compile? It may need booktabs and nothing else.

Where pdflatex is installed (Debian: texlive-latex-base and texlive-latex-recommended) the table is compiled and
measured, and must not run over the edge of a page; elsewhere its signs are checked: outside of comments all are ASCII.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

PDFLATEX = shutil.which("pdflatex")
DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs}
\newsavebox{\measured}
\begin{document}
%s
\end{document}
"""
BOX = r"""\begin{lrbox}{\measured}
%s
\end{lrbox}
\typeout{WIDTH \the\wd\measured}
\noindent\usebox{\measured}\par
"""
TOO_WIDE = re.compile(r"^Overfull \\hbox \(([\d.]+)pt too wide\)", re.MULTILINE)
BARELY_SEEN = 10  # points


def check(text: str, *, fits: bool = True) -> list[float]:
    """Compile all tables of a text, or check their signs; the widths of the tables in points, where compiled.

    ``fits`` says whether they must fit on a page of the class article.
    """
    for line in text.split("\n"):
        if not line.startswith("%"):
            assert line.isascii(), f"pdflatex may not know a sign of: {line}"
            assert line.isprintable(), line
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") > 0
    if PDFLATEX is None:
        return []
    tables = re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", text, re.DOTALL)
    log = _compiled(DOCUMENT % "\n".join(BOX % table for table in tables))
    assert "Missing character" not in log
    assert not fits or all(float(points) <= BARELY_SEEN for points in TOO_WIDE.findall(log)), TOO_WIDE.findall(log)
    return [float(width) for width in re.findall(r"^WIDTH ([\d.]+)pt", log, re.MULTILINE)]


def _compiled(document: str) -> str:
    """The log of pdflatex, which must end well."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "table.tex").write_text(document, encoding="utf-8")
        run = subprocess.run(
            [str(PDFLATEX), "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "table.tex"],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        log = (Path(folder) / "table.log").read_text("utf-8", errors="replace")
        assert run.returncode == 0, log[-3000:]
        return log
