"""What Python users type who know other libraries: errors name what there is here."""

from __future__ import annotations

import pytest

import gecval


@pytest.mark.parametrize("name", ["score", "compare_all", "score_by_type", "reference_coverage", "overview"])
def test_lists_in_place_of_a_corpus(name: str) -> None:
    with pytest.raises(gecval.InputError, match=r"gecval\.evaluate\(sources, outputs, references\)"):
        getattr(gecval, name)(["He go ."], ["He goes ."], [["He goes ."]])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("get_metric", "metric"), ("load_metric", "metric"), ("evaluat", "evaluate"), ("Scorer", "score")],
)
def test_a_name_of_another_library(typed: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=rf"no attribute '{typed}'; did you mean gecval\.{meant}\?$"):
        getattr(gecval, typed)


def test_a_name_like_no_other() -> None:
    with pytest.raises(AttributeError, match=r"dir\(gecval\) lists all names$"):
        gecval.frobnicate  # noqa: B018
    assert not hasattr(gecval, "__wrapped__")
