"""Signatures: everything that decides a number is there, and nothing that does not."""

from __future__ import annotations

from importlib.metadata import version

from gecval import Corpus, Edit, Reference, Resampling, metric
from gecval.studies.scores.signature import signature

OURS = f"gecval:{version('gecval')}"
BARE = Corpus.from_texts(["a b"])
TEXTS = Corpus.from_texts(["a b"], [["a c", "a d"]])


def test_references_count_where_a_metric_looks_at_them() -> None:
    of_texts = f"rule:best|refs:2|references:{TEXTS.reference_hash}"
    assert signature(metric("accuracy"), TEXTS, "corpus") == (
        f"accuracy|aggregate:corpus|source:{TEXTS.source_hash}|{of_texts}|{OURS}"
    )
    assert signature(metric("ld"), TEXTS, "mean") == f"ld|aggregate:mean|source:{TEXTS.source_hash}|{OURS}"


def test_without_references_nothing_is_said_of_them() -> None:
    for name in ("ld", "accuracy"):
        assert signature(metric(name), BARE, "corpus") == f"{name}|aggregate:corpus|source:{BARE.source_hash}|{OURS}"


def test_resampling_comes_last_but_the_version() -> None:
    resampling = Resampling(resamples=200, seed=7)
    assert signature(metric("ld"), BARE, "corpus", resampling=resampling) == (
        f"ld|aggregate:corpus|source:{BARE.source_hash}|bca:0.95|resamples:200|seed:7|{OURS}"
    )


def test_who_finds_edits_is_named_though_references_bring_theirs() -> None:
    corpus = Corpus(["a b"], [[Reference(edits=(Edit(0, 1, ("x",)),))]])
    assert corpus.has_edits()
    assert "|model:plain|" in signature(metric('errant(model="plain")'), corpus, "corpus")
