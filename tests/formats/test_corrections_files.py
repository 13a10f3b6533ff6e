"""Tables of corrections and histograms: what is read, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from gecval import InputError
from gecval.formats.corrections import is_histogram, read_corrections, read_histogram


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "crowd.tsv"
    path.write_text(text)
    return path


def test_gathers_by_sentence_and_leaves_out_the_rejected(tmp_path: Path) -> None:
    text = "status\tsentence\tsimplification\nApproved\ta\tx\\n\\ty\n\nRejected\ta\tz\n\tb\tq\nApproved\ta\tx\\\\n\n"
    first, second = read_corrections(written(tmp_path, text))
    assert (first.source, first.texts) == ("a", ("x\n\ty", "x\\n"))
    assert (second.source, second.texts) == ("b", ("q",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("a\tb\n", "line 1 names no column source or sentence; the columns are separated by tabs"),
        ("source,correction\n", "line 1 names no column source or sentence"),
        ("source\ttext\n", "line 1 names no column correction or simplification or reference"),
        ("source\tcorrection\n", "has a header but no corrections"),
        ("source\tcorrection\na\tb\tc\n", "line 2 has 3 columns, the header 2"),
        ("source\tcorrection\na\t \n", "line 2: the source or the correction is empty"),
        ("source\tcorrection\tstatus\na\tb\tRejected\n", "has a header but no corrections"),
    ],
)
def test_refuses_a_table(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_corrections(written(tmp_path, text))


def test_reads_a_histogram_and_forgives_a_solvers_noise(tmp_path: Path) -> None:
    path = written(tmp_path, "frequency\t# of variants\n0.5\t2.0\n0.25\t-1e-9\n")
    assert is_histogram(path)
    assert read_histogram(path) == [(0.5, 2.0), (0.25, 0.0)]
    rounded = written(tmp_path, "frequency\t# of variants\n0.5\t1.981\n0.25\t-1e-6\n")
    assert read_histogram(rounded) == [(0.5, 1.981), (0.25, 0.0)]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "holds no histogram"),
        ("0.5\n", "line 2 is not a frequency, a tab and a number of variants"),
        ("0.5\tmany\n", "line 2 is not a frequency"),
        ("1.5\t1\n", "line 2: the frequency 1.5 does not lie between 0 and 1"),
        ("0.5\t-3\n", "line 2: -3 is not a number of variants"),
        ("0.5\t-1.1e-6\n", "line 2: -1.1e-06 is not a number of variants"),
        ("0.5\t1.97\n", r"sum to 0\.985, not 1"),
        ("0.5\tinf\n", "line 2: inf is not a number of variants"),
        ("nan\t1\n", "line 2: the frequency nan does not lie"),
        ("0.5\t1e12\n", r"the probabilities of all variants sum to 5e\+11, not 1; is the file complete\?"),
        ("0.5\t1e300\n", r"sum to 5e\+299, not 1"),
        ("0.5\t1e308\n0.5\t1e308\n0.5\t1e308\n0.5\t1e308\n", "sum to inf, not 1"),
        ("0.5\t0\n", "sum to 0, not 1"),
        ("0.5\t1e-12\n", "sum to 5e-13, not 1"),
        ("0.5\t1\n0.25\t1\n", r"sum to 0\.75, not 1"),
    ],
)
def test_refuses_a_histogram(tmp_path: Path, lines: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_histogram(written(tmp_path, f"frequency\t# of variants\n{lines}"))
