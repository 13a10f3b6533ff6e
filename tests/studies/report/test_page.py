"""The report's page as a file: the same bytes every time, no other host, and no text that is taken for HTML."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, InputError, compare, load_sample, metric
from gecval.edits.annotate import annotate
from gecval.edits.extractors import extractor
from gecval.metrics.base import Array
from gecval.metrics.distance import LD
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.gleu import GLEU
from gecval.metrics.reference_rules import Best, Sampled
from gecval.metrics.registry import FunctionMetric
from gecval.results import theme
from gecval.results.result import Result
from gecval.results.table import Numbers, grid
from gecval.stats import Resampling
from gecval.studies.report.page import __file__ as page_file
from gecval.studies.report.page import page, theme_css, write_page
from gecval.studies.report.page import policy as page_policy
from gecval.studies.report.payload import Packer, _tables, page_formula, page_rows
from gecval.studies.report.result import Overview
from gecval.studies.report.study import overview

# What must show as text wherever it stands.
HOSTILE = (
    "</script><script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "<!-- {{data}} {{script}} -->",
    r"\input{/etc/passwd} $x^2$ \% & _ #",
    "\u202eright to left\u202c \u200f",
    "\x00\x01\x07 \x1b[31m",
    "half a pair \ud83d and \udc00",
    "&lt;b&gt; 'quoted' \"twice\" `${1}`",
)
QUICK = Resampling(5)


def overview_of(texts: list[str], **options: Any) -> Overview:
    sources = [f"He go {text} ." for text in texts]
    corpus = Corpus.from_texts(sources, [[f"He goes {text} ."] for text in texts], language="en")
    outputs = {f"copy {texts[0]}": sources, "good": [f"He goes {text} ." for text in texts]}
    return overview(corpus, outputs, ["accuracy", "ld"], edits="plain", confidence=QUICK, **options)


def unpacked(html: str) -> tuple[dict[str, Any], list[bytes]]:
    """The page's object, and all parts."""
    [lines] = re.findall(r'<script type="application/octet-stream" id="gecval-parts">\n(.*?)\n</script>', html, re.S)
    parts = [zlib.decompress(base64.b64decode(line)) for line in lines.split("\n")]
    return json.loads(parts[-1]), parts


def test_the_same_input_gives_the_same_bytes() -> None:
    first, second = (page(overview_of(["home", "away"]), title="T") for _ in range(2))
    assert first == second
    assert first != page(overview_of(["home", "there"]), title="T")


def test_scripts_and_styles_are_named_by_their_hashes_and_nothing_else_may_run() -> None:
    html = page(overview_of(["home", "away"]))
    [policy] = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', html)
    assert policy == page_policy()
    allowed = dict(part.split(" ", 1) for part in policy.split("; "))
    assert allowed["default-src"] == "'none'"
    assert set(allowed) == {
        "default-src", "script-src", "style-src", "worker-src", "img-src", "base-uri", "form-action",
    }  # fmt: skip
    assert "unsafe" not in policy
    assert "http" not in policy

    def hashes(texts: list[str]) -> str:
        digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
        return " ".join(f"'sha256-{digest}'" for digest in digests)

    scripts = re.findall(r"<script(?: id=\"gecval-engine\")?>(.*?)</script>", html, re.S)
    assert len(scripts) == 2
    assert all(len(script) > 1000 for script in scripts)
    assert allowed["script-src"] == hashes(scripts)
    assert allowed["style-src"] == hashes(re.findall(r"<style>(.*?)</style>", html, re.S))


def test_what_a_worker_runs_stands_apart() -> None:
    html = page(overview_of(["home", "away"]))
    [engine] = re.findall(r'<script id="gecval-engine">(.*?)</script>', html, re.S)
    [others] = re.findall(r"<script>(.*?)</script>", html, re.S)
    assets = Path(page_file).parent / "assets"
    for name in (assets / "scripts.txt").read_text("utf-8").split():
        of_worker = name in ("arrays.js", "formulas.js", "rules.js", "sampling.js", "scores.js")
        assert (assets / name).read_text("utf-8") in (engine if of_worker else others)


def test_a_page_can_lead_home() -> None:
    seen = overview_of(["home", "away"])
    plain, led = page(seen), page(seen, home=('/b/x?a="1"&b', "<The board>"))
    link = '<a class="home" href="/b/x?a=&quot;1&quot;&amp;b">&lt;The board&gt;</a>'
    assert led.replace(link, "", 1) == plain
    assert link not in plain


def test_no_address_but_that_of_svg_is_in_the_page() -> None:
    html = page(overview_of(["home", "away"]))
    addresses = set(re.findall(r"https?://[^\s\"'`)<]+", html))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(link|iframe|object|embed|base)\b", html)
    assert not re.search(r"<script[^>]*\ssrc=", html)


def test_hostile_text_stays_in_the_packed_data() -> None:
    harmless, hostile = (page(overview_of(texts), title="T") for texts in (["home"] * len(HOSTILE), list(HOSTILE)))
    outside = re.compile(r'(?<=id="gecval-parts">\n).*?(?=\n</script>)', re.S)
    assert outside.sub("", hostile) == outside.sub("", harmless)
    data, parts = unpacked(hostile)
    texts = json.loads(parts[data["texts"]])
    for text, (source, references, outputs) in zip(HOSTILE, texts, strict=True):
        assert source == f"He go {text} ."
        assert references == [f"He goes {text} ."]
        assert sorted(outputs) == sorted([source, *references])
    assert f"copy {HOSTILE[0]}" in data["systems"]


def test_a_hostile_title_is_escaped() -> None:
    html = page(overview_of(["home", "away"]), title="</title><script>alert(1)</script>\n{{data}}")
    assert "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; {{data}}</title>" in html
    assert html.count("<script>alert") == 0


def test_equal_outputs_are_kept_once() -> None:
    data, parts = unpacked(page(overview_of(["home"] * 3)))
    corpus_texts = json.loads(parts[data["texts"]])
    assert [len(outputs) for _, _, outputs in corpus_texts] == [2, 2, 2]
    assert data["sentences"] == 3
    assert [metric["shared"] for metric in data["metrics"]] == [True, True]


def test_colours_and_fonts_are_those_of_the_theme() -> None:
    css = theme_css()
    assert f"--paper: light-dark({theme.PAPER}, {theme.DARK_PAPER});" in css
    assert f"--negative: {theme.NEGATIVE};" in css
    assert f"--category-6: {theme.CATEGORIES[5]};" in css
    assert css in page(overview_of(["home", "away"]))


def test_tables_of_studies_have_nothing_bold_and_do_not_speak_of_it() -> None:
    """They are text: columns, cells, and which columns are set to the right."""
    corpus, systems = load_sample()
    result = compare(corpus, systems[0], systems[1:2], ["m2"], confidence=Resampling(resamples=200))
    [table] = Result.to_tables(result, "html")
    assert table.bold
    written = grid(table, Numbers(), bold_is_seen=True)
    assert written.footnotes[0].startswith("bold: p < 0.05")
    assert _tables(result) == {
        "tables": [
            {
                "title": "",
                "columns": table.columns,
                "right": [column.right for column in written.columns],
                "rows": written.rows,
                "notes": written.footnotes[1:],
            }
        ]
    }
    assert [column.right for column in written.columns][:2] == [False, False]
    assert any(column.right for column in written.columns)
    assert _tables(None) is None


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("errant", {"name": "errant", "beta": 0.5}),
        ("errant(average='macro', beta=2.0)", {"name": "errantMacro", "beta": 2.0}),
        ("m2", {"name": "m2", "beta": 0.5}),
        ("m2(unchanged='zero')", {"name": "m2", "beta": 0.5, "unchanged": "zero"}),
        ("ibleu", {"name": "ibleu", "alpha": 0.8, "sign": 1}),
        ("ibleu(sign='minus', alpha=0.5)", {"name": "ibleu", "alpha": 0.5, "sign": -1}),
        ("green", {"name": "green", "beta": 2.0, "noRecall": 1.0}),
        ("green(form='author')", {"name": "green", "beta": 2.0, "noRecall": 0.0}),
        ("gotoscorer(edits='plain')", {"name": "gotoscorer", "beta": 0.5, "empty": 0.0}),
        ("gotoscorer(edits='plain', form='gec-metrics')", {"name": "gotoscorer", "beta": 0.5, "empty": 1.0}),
        ("sari", {"name": "sari"}),
        ("sari(form='corpus')", {"name": "sariOfCorpus"}),
        ("max-sari", {"name": "sari"}),
        ("max-sari(form='corpus')", {"name": "sariOfCorpus"}),
        (
            "imeasure(aspect='detection', weight=3.0)",
            {"name": "imeasure", "weight": 3.0, "beta": 1.0, "detection": True},
        ),
        ("interpolated(gleu, ld, 0.25)", {"name": "interpolated", "factors": [0.25, 0.75], "parts": ["gleu", "ld"]}),
        ("scribendi(better=2.0)", {"name": "scribendi", "values": [2.0, 0.0, -1.0, -1.0]}),
        ("accuracy", {"name": "mean"}),
    ],
)
def test_formulas_know_what_they_need_of_a_metric(spelling: str, expected: dict[str, Any]) -> None:
    assert metric(spelling).page_formula() == expected


class HalfGLEU(GLEU):
    def score(self, totals: Array) -> Array:
        return super().score(totals) / 2


class Halved(LD):
    def score(self, totals: Array) -> Array:
        return super().score(totals) / 2


class LikeAnyMean(LD):
    """It changes what a sentence is worth, not how sentences become a score."""


class LastReference(Best):
    """Another rule that picks one row for good."""


class OtherDraws(Sampled):
    """Another rule, which may draw otherwise."""


def test_a_formula_counts_for_the_class_that_declares_it() -> None:
    """A subclass may compute something else: the page shows its sentence scores and their mean."""
    assert [made.page_formula() for made in (HalfGLEU(), Halved(), LikeAnyMean())] == [None, None, {"name": "mean"}]
    assert [LastReference().page_rule(), OtherDraws(5).page_rule()] == [{"name": "sum"}, None]
    assert not HalfGLEU().exact_on_subsets
    assert page_formula(HalfGLEU()) is None
    evaluation = Evaluation.of(HalfGLEU(), CORPUS, CORPUS.system("first", OUTPUTS["first"]))
    assert page_rows(evaluation).rows[:, 0].tolist() == evaluation.sentence_scores().tolist()


def test_one_system_and_one_sentence_make_a_page() -> None:
    corpus = Corpus.from_texts(["He go ."], [["He goes ."]], language="en")
    seen = overview(corpus, {"mine": ["He goes ."]}, ["accuracy"], edits="plain")
    data, _ = unpacked(page(seen))
    assert (data["pairs"], data["leastP"], data["deciding"], data["coverage"]) == ([], None, [], None)
    assert data["scores"] == [
        {"system": 0, "metric": 0, "score": 1.0, "parts": {}, "interval": None, "ranks": None, "cluster": None}
    ]


def test_the_least_p_is_that_of_all_tests_and_signs() -> None:
    corpus = Corpus.from_texts(["He go ."] * 20, [["He goes ."]] * 20, language="en")
    outputs = {"right": ["He goes ."] * 20, "source": ["He go ."] * 20, "wrong": ["Him go ."] * 20}
    seen = overview(corpus, outputs, ["accuracy", "gleu"], edits="plain", confidence=Resampling(99))
    data, _ = unpacked(page(seen))
    assert data["leastP"] == 6 / 100_001  # three pairs under each metric, 100,000 random signs
    assert min(pair["p"] for pair in data["pairs"]) == pytest.approx(6 / 100_001)


def test_nothing_is_written_where_it_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is a folder"):
        write_page(overview_of(["home", "away"]), tmp_path)
    assert list(tmp_path.iterdir()) == []


TYPES = {"u1": "u1", "i1": "i1", "u2": "<u2", "i2": "<i2", "u4": "<u4", "i4": "<i4", "f4": "<f4", "f8": "<f8"}


@given(
    st.lists(st.integers(-(2**31), 2**32 - 1) | st.integers(0, 255), max_size=20)
    | st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.1, 0.5]), max_size=40)
)
def test_packed_numbers_come_back(values: list[float]) -> None:
    packer = Packer()
    packed = packer.array(np.array(values, dtype=np.float64))

    def part(number: int, kind: str) -> np.ndarray[Any, Any]:
        return np.frombuffer(zlib.decompress(base64.b64decode(packer.lines[number])), dtype=TYPES[kind])

    numbers = part(packed["part"], packed["type"])
    if "values" in packed:
        numbers = part(packed["values"], "f8")[numbers]
    assert numbers.astype(np.float64).tolist() == values


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 255], "u1"),
        ([0, 256], "u2"),
        ([-1, 5], "i1"),
        ([-1, 128], "i2"),
        ([256.0], "u2"),
        ([-300], "i2"),
        ([70000], "u4"),
        ([-1, 32768], "i4"),
        ([0.5], "f8"),
        ([1.0, 0.5], "f8"),
        ([], "u1"),
    ],
)
def test_whole_numbers_take_few_bytes(values: list[float], kind: str) -> None:
    assert Packer().array(np.array(values))["type"] == kind


@pytest.mark.parametrize(
    ("values", "listed"), [([0.5] * 3, True), ([0.5, 0.25] * 2, False), ([0.5, 0.25, 0.5, 0.25, 0.5], True)]
)
def test_numbers_that_repeat_are_listed_once(values: list[float], listed: bool) -> None:
    assert ("values" in Packer().array(np.array(values))) == listed


def test_texts_are_packed_as_they_are() -> None:
    packer = Packer()
    part = packer.json(["ä", 0.5])
    assert zlib.decompress(base64.b64decode(packer.lines[part])) == '["ä",0.5]'.encode()
    with pytest.raises(ValueError, match="not JSON compliant"):
        packer.json(float("nan"))


def packed_numbers(parts: list[bytes], packed: dict[str, Any]) -> np.ndarray[Any, Any]:
    numbers = np.frombuffer(parts[packed["part"]], dtype=TYPES[packed["type"]])
    return np.frombuffer(parts[packed["values"]], dtype="<f8")[numbers] if "values" in packed else numbers


CORPUS = Corpus.from_texts(
    ["He go home .", "She like it .", "Fine ."],
    [["He goes home .", "He went home ."], ["She likes it ."], ["Fine .", "Okay ."]],
    language="en",
)
OUTPUTS = {
    "first": ["He goes home .", "She like it .", "Fine ."],
    "second": ["He go home .", "She likes it .", "Okay ."],
    "third": ["He goes home .", "She likes it .", "Fine !"],
}


def moody() -> FunctionMetric:
    """A metric that gives equal outputs different scores."""
    calls = itertools.count()
    return FunctionMetric(lambda source, hypothesis, references: float(next(calls) % 5), "moody")


def test_the_rows_of_every_system_can_be_put_together_again() -> None:
    """As the page does it: an output's rows lie after those of the outputs before it, systems share equal outputs."""
    seen = overview(CORPUS, OUTPUTS, ["m2", "gleu", "accuracy", moody()], edits="plain", confidence=QUICK)
    data, parts = unpacked(page(seen))
    units = packed_numbers(parts, data["units"]).reshape(3, 3)  # [sentence, system]
    assert [made["shared"] for made in data["metrics"]] == [True, True, True, False]
    assert [made["counts"] is None for made in data["metrics"]] == [False, False, True, True]
    for made, evaluations in zip(data["metrics"], seen.material.evaluations, strict=True):
        columns = np.column_stack([packed_numbers(parts, column) for column in made["columns"]])
        counts = np.ones(3, int) if made["counts"] is None else packed_numbers(parts, made["counts"]).astype(int)
        places = units if made["shared"] else np.arange(9).reshape(3, 3)
        sentence_of = {int(unit): i for i, row in enumerate(places) for unit in row}
        starts = np.concatenate([[0], np.cumsum([counts[sentence_of[unit]] for unit in range(len(sentence_of))])])
        for s, evaluation in enumerate(evaluations):
            rows = [columns[starts[unit] : starts[unit] + counts[i]] for i, unit in enumerate(places[:, s])]
            assert np.concatenate(rows).tolist() == page_rows(evaluation).rows.tolist()


def test_rows_that_are_chosen_for_good_are_one_a_sentence() -> None:
    for spelling, chosen in (("m2", 5), ("gleu", 5), ("accuracy", 3), ("sari", 3), ("green", 3)):
        made = metric(spelling)
        evaluation = Evaluation.of(made, annotate(CORPUS, extractor("plain")), CORPUS.system("first", OUTPUTS["first"]))
        assert len(page_rows(evaluation).rows) == chosen


def test_what_the_page_knows_of_a_metric() -> None:
    seen = overview(CORPUS, OUTPUTS, ["m2", "gleu", "accuracy", "cleme"], edits="plain", confidence=QUICK)
    data, _ = unpacked(page(seen))
    assert [made["rule"]["shown"] for made in data["metrics"]] == [
        row.rule.signature() for row in seen.material.metrics
    ]
    assert [made["rule"].get("name") for made in data["metrics"]] == ["runningBest", "sampled", "sum", "runningRows"]
    assert [made["exact"] for made in data["metrics"]] == [True, True, True, False]
    mean = overview(CORPUS, OUTPUTS, ["cleme"], edits="plain", aggregate="mean", confidence=QUICK)
    assert unpacked(page(mean))[0]["metrics"][0]["exact"] is True


@pytest.mark.parametrize(
    ("spelling", "same"),
    [
        ("m2", True),
        ("imeasure", True),
        ("imeasure(optimise='corpus')", False),
        ("imeasure(mix=False, optimise='corpus')", True),
        ("cleme", False),
        ("cleme(weights='none')", True),
        ("interpolated(gleu, ld)", True),
        ("interpolated(cleme, ld)", False),
        ("interpolated(gleu, cleme)", False),
    ],
)
def test_which_scores_of_a_subset_are_those_of_the_command_line(spelling: str, same: bool) -> None:
    assert metric(spelling).exact_on_subsets is same


def test_weights_are_fractions() -> None:
    made = metric("imeasure(mix=False, optimise='corpus', weight=0.999, beta=0.5)").rule.page_rule()
    assert made is not None
    assert (made["weight"], made["beta"]) == ([999, 1000], [1, 2])


def test_sentences_that_decide_are_counted_from_0() -> None:
    corpus = Corpus.from_texts(["He go ."] * 3, [["He goes ."]] * 3, language="en")
    outputs = {"right": ["He go .", "He goes .", "He go ."], "source": ["He go ."] * 3}
    seen = overview(corpus, outputs, ["accuracy"], edits="plain", confidence=QUICK)
    [pair] = unpacked(page(seen))[0]["deciding"]
    assert seen.deciding[0].sentences == (2,)
    assert (pair["sentences"], pair["count"], pair["of"], pair["flips"]) == ([1], 1, 3, True)
    assert pair["influence"]["type"] == "f4"  # it is only shown


def test_edits_come_back_with_their_corrections_and_types() -> None:
    seen = overview(CORPUS, OUTPUTS, ["m2"], edits="plain", confidence=QUICK)
    data, parts = unpacked(page(seen))
    corrections = json.loads(parts[data["corrections"]])

    def edits(columns: list[dict[str, Any]]) -> list[tuple[int, int, str, str]]:
        rows = zip(*(packed_numbers(parts, column).tolist() for column in columns), strict=True)
        return [(start, end, corrections[place], data["types"][kind]) for start, end, place, kind in rows]

    gold = [(1, 2, "goes", "R"), (1, 2, "went", "R"), (1, 2, "likes", "R"), (0, 1, "Okay", "R")]
    assert edits(data["gold"]["columns"]) == gold
    assert packed_numbers(parts, data["gold"]["counts"]).tolist() == [1, 1, 1, 0, 1]
    assert packed_numbers(parts, data["referenceCounts"]).tolist() == [2, 1, 2]
    proposed = [[edit.edit for edit in output.edits] for output in seen.material.judged]
    assert edits(data["proposed"]["columns"]) == [
        (edit.start, edit.end, edit.correction, edit.type) for listed in proposed for edit in listed
    ]
    assert packed_numbers(parts, data["proposed"]["counts"]).tolist() == list(map(len, proposed))
    assert sorted({edit.correction for listed in proposed for edit in listed}) == ["!", "Okay", "goes", "likes"]
