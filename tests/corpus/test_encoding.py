"""A corpus as integers: what the kernels read, by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gecval import load_sample, metric
from gecval.corpus import Corpus, encoding
from gecval.corpus.corpus import Cluster
from gecval.corpus.edit import Edit
from gecval.corpus.encoding import Encoded, Tokens, characters
from gecval.corpus.references import Reference
from gecval.formats.loading import load_corpus


def words(encoded: Encoded, tokens: Tokens) -> list[list[str]]:
    known = encoded.vocabulary.tokens()
    return [[known[i] for i in tokens.ids[start:end]] for start, end in pairwise(tokens.offsets.tolist())]


def test_characters_are_their_code_points() -> None:
    made = characters(["aé", "", "😀\ud800"])
    assert made.ids.tolist() == [0x61, 0xE9, 0x1F600, 0xD800]
    assert made.offsets.tolist() == [0, 2, 2, 4]


def test_an_empty_text_made_from_edits_is_one_empty_word_between_single_spaces(tmp_path: Path) -> None:
    """As Python splits it; between blanks of any kind it has no words."""
    path = tmp_path / "gold.m2"
    path.write_text("S x\n\nS a b\nA 0 2|||U||||||REQUIRED|||-NONE-|||0\n\nS c d\n\n")
    encoded = Encoded.of(load_corpus(None, [path]))
    assert words(encoded, encoded.reference_tokens("space")) == [["x"], [""], ["c", "d"]]
    assert words(encoded, encoded.reference_tokens()) == [["x"], [], ["c", "d"]]


def test_edits_of_hypotheses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "GoldEdits", lambda *parts: parts)
    encoded = Encoded.of(Corpus.from_texts(["a b", "c"]))
    spans, rows, entries, ids, offsets = encoded.edits([[Edit(0, 1, ("x y", "z")), Edit(2, 2, ("w",))], []])
    assert spans.tolist() == [[0, 2], [2, 2]]
    assert rows[:, :3].tolist() == [[0, 1, 0], [2, 2, 1]]
    assert rows.shape == (2, 5)
    assert entries.tolist() == [0, 1, 2]
    assert words(encoded, Tokens(ids, offsets)) == [["x", "y"], ["w"]]


def test_several_corrections_of_one_span_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """And those of other spans stay as they are; nothing is another choice where an error may stay."""
    monkeypatch.setattr(encoding, "ErrorClusters", lambda *parts: parts)
    twice = (Edit(0, 0, ("x",)), Edit(0, 0, ("y",)), Edit(1, 2, ("z",)))
    corpus = Corpus(
        ["a b"], [[Reference(edits=twice)]], clusters=[[Cluster((twice,), True), Cluster((twice[2:],), False)]]
    )
    encoded = Encoded.of(corpus)
    of_sentences, of_errors, of_choices, starts, ends, ids, offsets = encoded.error_clusters
    assert of_sentences.tolist() == [0, 2]
    assert of_errors.tolist() == [0, 1, 3]
    assert of_choices.tolist() == [0, 2, 3, 3]
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [(0, 0), (1, 2), (1, 2)]
    assert words(encoded, Tokens(ids, offsets)) == [["x", "y"], ["z"], ["z"]]


@pytest.mark.parametrize("stretch", [1, 7, 50])
@pytest.mark.parametrize("spelling", ["m2", "m2(ignore_whitespace_casing=True)", 'm2(nested="estgec")'])
def test_stretch_by_stretch_every_sentence_counts_the_same(
    stretch: int, spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = metric(spelling)
    corpus, systems = load_sample()
    corpus = Corpus(corpus.sources, [listed if i % 5 else [] for i, listed in enumerate(corpus.references)])
    corpus = replace(corpus, references=[listed or [Reference(edits=())] for listed in corpus.references])
    of_all = [judge.statistics(corpus, system) for system in systems]
    monkeypatch.setattr(encoding, "MANY", 0)
    monkeypatch.setattr(encoding, "STRETCH", stretch)
    for system, expected in zip(systems, of_all, strict=True):
        made = judge.statistics(Corpus(corpus.sources, corpus.references), system)
        np.testing.assert_array_equal(made.rows, expected.rows)
        np.testing.assert_array_equal(made.offsets, expected.offsets)
        assert made.notes == expected.notes


def test_stretches_of_a_table_whose_references_without_edits_point_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gold.m2"
    edit = "A {at} {at}|||M:OTHER|||x{at}|||REQUIRED|||-NONE-|||{who}"
    lines = [["S a b c", *(edit.format(at=k % 3, who=k) for k in range(i % 4))] for i in range(30)]
    path.write_text("\n\n".join("\n".join(of_sentence) for of_sentence in lines) + "\n")
    monkeypatch.setattr(encoding, "MANY", 0)
    monkeypatch.setattr(encoding, "STRETCH", 4)
    for missing in ("absent", "unchanged", "agreed"):
        corpus = load_corpus(None, [path], missing=missing)
        objects = Corpus(list(corpus.sources), [list(listed) for listed in corpus.references])
        by_table, by_object = (
            metric("m2").statistics(one, one.system("x", ["x0 a b c"] * 30)) for one in (corpus, objects)
        )
        np.testing.assert_array_equal(by_table.rows, by_object.rows)
        edits = [len(reference.edits or ()) for listed in corpus.references for reference in listed]
        assert by_table.rows[:, 2].tolist() == edits
