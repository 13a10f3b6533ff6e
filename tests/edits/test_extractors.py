"""Extractors by name, and one for another language, which an installed package brings."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gecval import Corpus, Edit, InputError, Reference, annotate, evaluate, extractor
from gecval.cli.program import cli
from gecval.edits.annotate import foreign_types, retype
from gecval.edits.errant import ErrantExtractor, UntaggedExtractor
from gecval.edits.extractors import Extractor, choose_extractor, extractor_names
from gecval.edits.plain import PlainExtractor
from gecval.edits.universal import UniversalExtractor
from gecval.errors import MissingExtraError
from gecval.runtime.run import Run
from packages import install, use

# Esperanto: every word is an edit of its own, and its ending gives its type.
MODULE = """
from dataclasses import dataclass
from gecval import Edit

ENDINGS = {"o": "NOUN", "a": "ADJ", "as": "VERB"}

class EsperantoExtractor:
    signature = "esperanto:1.0"
    language = "eo"

    def edits(self, pairs, *, run=None):
        return [self._edits(source.split(), corrected.split()) for source, corrected in pairs]

    def _edits(self, source, corrected):
        return tuple(
            Edit(i, i + 1, (word,), f"R:{ENDINGS.get(word[-2:], ENDINGS.get(word[-1:], 'OTHER'))}")
            for i, (before, word) in enumerate(zip(source, corrected, strict=True)) if before != word
        )

made_before = EsperantoExtractor()

class Mute:
    signature = "mute:1"

class Forgetful(EsperantoExtractor):
    signature = "forgetful:1"
    def edits(self, pairs, *, run=None):
        return super().edits(pairs)[1:]

class Free(EsperantoExtractor):
    def __init__(self, **named):
        self.named = named

class Failing(EsperantoExtractor):
    def __init__(self):
        raise RuntimeError("no dictionary")
"""
SOURCE, CORRECTED = "Mi vidas bela hundon\nLi iri\n", "Mi vidas belan hundon\nLi iras\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package, the texts, and the current folder among them."""
    install(
        tmp_path / "site", "esperanto_errors", MODULE, "[gecval.extractors]\nEO = esperanto_errors:EsperantoExtractor\n"
    )
    use(tmp_path / "site", monkeypatch)
    (tmp_path / "source.txt").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "corrected.txt").write_text(CORRECTED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("esperanto_errors", None)


def run(*words: str) -> str:
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_our_own() -> None:
    assert extractor_names()[:2] == ["errant", "plain"]
    assert extractor("plain") == extractor("PLAIN") == PlainExtractor()
    assert extractor("errant") == ErrantExtractor()
    assert extractor("en_core_web_lg") == ErrantExtractor("en_core_web_lg")
    assert (extractor("plain").language, extractor("errant").language) == (None, "en")


def test_a_folder_is_a_spacy_model(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text('{"version": "1"}')
    assert extractor(str(tmp_path)) == ErrantExtractor(str(tmp_path))


@pytest.mark.usefixtures("site")
class TestAnotherLanguage:
    """An installed package brings it. Nothing of gecval need change."""

    def test_by_name(self) -> None:
        assert extractor_names()[2:] == ["cherrant", "multigec", "EO"]
        assert extractor("eo").language == "eo"
        assert extractor("esperanto_errors:EsperantoExtractor").signature == "esperanto:1.0"
        assert extractor("esperanto_errors:made_before") is sys.modules["esperanto_errors"].made_before

    @pytest.mark.parametrize("name", ["eo", "esperanto_errors:EsperantoExtractor"])
    def test_annotate(self, name: str, site: Path) -> None:
        run("annotate", "source.txt", "corrected.txt", "-o", "gold.m2", "--edits", name)
        assert (site / "gold.m2").read_text(encoding="utf-8").splitlines() == [
            "S Mi vidas bela hundon",
            "A 2 3|||R:OTHER|||belan|||REQUIRED|||-NONE-|||0",
            "",
            "S Li iri",
            "A 1 2|||R:VERB|||iras|||REQUIRED|||-NONE-|||0",
            "",
        ]

    def test_score_finds_the_edits_of_references(self) -> None:
        printed = run("score", "corrected.txt", "-s", "source.txt", "-r", "corrected.txt", "-m", "m2",
                      "--edits", "eo", "--format", "json")  # fmt: skip
        [score] = json.loads(printed)["scores"]
        assert (score["score"], score["parts"]["gold"]) == (1.0, 2)
        assert "esperanto:1.0" in score["signature"]

    def test_a_metric_looks_at_its_edits(self) -> None:
        spelling = 'errant(model="eo", level="classification")'
        printed = run("score", "corrected.txt", "-s", "source.txt", "-r", "corrected.txt", "-m", spelling,
                      "--format", "json")  # fmt: skip
        [score] = json.loads(printed)["scores"]
        assert score["parts"] == {"precision": 1.0, "recall": 1.0, "tp": 2, "fp": 0, "fn": 0}

    def test_in_python(self) -> None:
        sources, corrected = SOURCE.splitlines(), CORRECTED.splitlines()
        [score] = evaluate(sources, corrected, [[text] for text in corrected], metrics=["m2"], edits="eo")
        assert score.score == 1.0
        corpus = annotate(Corpus.from_texts(sources, [[text] for text in corrected]), extractor("eo"))
        assert corpus.references[1][0].edits == (Edit(1, 2, ("iras",), "R:VERB"),)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("plian", "there is no extractor 'plian'; did you mean plain?"),
        (
            "nothing",
            "there is no extractor 'nothing'; there is errant, plain, cherrant, multigec, EO, and spaCy models",
        ),
        ("esperanto_errors:None_", "cannot load the extractor 'esperanto_errors:None_': AttributeError"),
        ("no_module:Name", "cannot load the extractor 'no_module:Name': ModuleNotFoundError"),
        ("esperanto_errors:Mute", "esperanto_errors:Mute is no extractor: it has no language and no edits"),
        ("errant(merge='all')", "the extractor errant has no parameter 'merge'; it has model, alignment, merging"),
        (
            "errant(merging='all')",
            "errant: merging must be one of rules, all-split, all-merge, all-equal, not 'all'",
        ),
        ("errant(alignment=1)", "errant: alignment must be one of linguistic, levenshtein, not 1"),
        ("errant(model=1)", "errant: model must be a text in quotes, not 1"),
        (
            "errant(merging=all-split)",
            'merging=all-split: a value is a number, a text in quotes (merging="all-split") or a part that there is; '
            "in a shell, single quotes go around it all",
        ),
        ("cherrant(alignments='all')", "cherrant: alignments must be one of pooled, first, best, not 'all'"),
        ("cherrant(resources=1)", "cherrant: resources must be a text in quotes, not 1"),
        (
            "en_core_web_sm(merging='rules')",
            'parameters go with errant: write errant(model="en_core_web_sm", merging=…)',
        ),
        ("", "there is no extractor ''; there is errant"),
        ("x" * 5000, f"there is no extractor '{'x' * 60}'"),
        (f"errant({'(' * 5000})", "cannot read the parameters of 'errant(((("),
        ("plain('rules')", 'plain: say which parameter is meant, as in errant(merging="all-split")'),
        ("plain(merging='rules')", "the extractor plain has no parameter 'merging'; it has none"),
        ("esperanto_errors:made_before(a=1)", "the extractor esperanto_errors:made_before has no parameter 'a'"),
        ("plian(merging='rules')", "there is no extractor 'plian'; did you mean plain?"),
        ("errant('all-split')", 'errant: say which parameter is meant, as in errant(merging="all-split")'),
        ("errant(merging=)", "cannot read the parameters of 'errant(merging=)'; write them like (alignment="),
        ("errant errant()", "cannot read the extractor 'errant errant()'; write it like errant or 'errant(merging="),
        ("esperanto_errors:Failing", "cannot make the extractor 'esperanto_errors:Failing': RuntimeError: no dict"),
    ],
)
def test_refused(name: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        extractor(name)
    assert str(refusal.value).startswith(message)


@pytest.mark.usefixtures("site")
def test_an_extractor_that_does_not_answer_for_every_pair() -> None:
    corpus = Corpus.from_texts(["Li iri", "Mi"], [["Li iras"], ["Mi"]])
    with pytest.raises(InputError, match="the extractor forgetful:1 answers 1 times for 2 pairs"):
        annotate(corpus, extractor("esperanto_errors:Forgetful"))


def test_errant_says_in_its_signature_what_is_not_usual() -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    usual = extractor("errant").signature
    version, parser = usual.split("|", 1)
    assert extractor('errant(alignment="linguistic", merging="rules")').signature == usual
    way = "alignment:levenshtein|merging:all-equal"
    assert extractor('errant(alignment="levenshtein", merging="all-equal")').signature == f"{version}|{way}|{parser}"
    assert extractor('errant(merging="all-merge")').signature == f"{version}|merging:all-merge|{parser}"


@pytest.mark.usefixtures("site")
def test_parameters() -> None:
    assert extractor(' ERRANT( merging="all-split" )\n') == ErrantExtractor(merging="all-split")
    assert extractor("plain()") == PlainExtractor()
    assert extractor("esperanto_errors:Free(a=1)").named == {"a": 1}
    with pytest.raises(InputError, match=r'a text in quotes \(merging="all-split"\)'):
        extractor("errant(merging=all-split)")


def test_a_model_with_an_endless_name_is_not_installed() -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    with pytest.raises(InputError, match="is not installed"):
        print(extractor(f"errant(model={'x' * 5000!r})").signature)


@pytest.mark.parametrize("name", ["AMU (2)", "AMU:2"])
def test_a_file_may_have_brackets_or_a_colon_in_its_name(tmp_path: Path, name: str) -> None:
    given = tmp_path / name
    given.mkdir()
    (given / "AMU.m2").write_text("S a b\nA 0 1|||R|||c|||REQUIRED|||-NONE-|||0\n\n", "utf-8")
    assert extractor(str(given)).edits([("a b", "c b")]) == [(Edit(0, 1, ("c",), "R"),)]


def test_a_refusal_names_the_extractor_without_its_versions() -> None:
    corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    finder = UniversalExtractor("el")
    with pytest.raises(InputError, match=r"^universal judges Greek only, and .* is written in other letters"):
        annotate(corpus, finder)


@pytest.mark.parametrize("finder", [UntaggedExtractor(), UniversalExtractor("xx")])
def test_progress_is_told_every_thousand_pairs(finder: Extractor) -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    told: list[tuple[int, int]] = []
    finder.edits([("a", "b")] * 2001, run=Run(progress=lambda done, total: told.append((done, total))))
    assert [pair for pair in told if pair[1] == 2001] == [(1000, 2001), (2000, 2001), (2001, 2001)]


# Who finds the edits where the user names nobody: ERRANT for what may be English, plain rules for all else.


SINCE = "edits are found by plain rules, since "


@pytest.mark.parametrize(
    ("text", "language", "note"),
    [
        ("Er ging heim .", "de", f"{SINCE}the text is German"),
        ("ж" * 20, None, f"{SINCE}the text looks Russian"),
        ("文" * 8, None, f"{SINCE}the text is written in other letters than English"),  # too short to name it
    ],
)
def test_plain_rules_for_another_language(text: str, language: str | None, note: str) -> None:
    choice = choose_extractor(Corpus.from_texts([text], language=language))
    assert choice == (PlainExtractor(), note)


@pytest.mark.parametrize(("text", "language"), [("He go home .", None), ("文" * 8, "en")])
def test_errant_for_what_may_be_english(monkeypatch: pytest.MonkeyPatch, text: str, language: str | None) -> None:
    """Whoever says that it is English is believed."""
    monkeypatch.setattr(ErrantExtractor, "signature", "errant:3|spacy:1")
    choice = choose_extractor(Corpus.from_texts([text], language=language))
    assert choice == (ErrantExtractor(), "edits are found by ERRANT (errant:3, spacy:1)")


def test_plain_rules_where_errant_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: ErrantExtractor) -> str:
        raise MissingExtraError("errant", "errant")

    monkeypatch.setattr(ErrantExtractor, "signature", property(absent))
    choice = choose_extractor(Corpus.from_texts(["He go home ."]))
    assert choice == (PlainExtractor(), f"{SINCE}errant needs an optional part: pip install 'gecval[errant]'")


# Gold whose types are of another scheme: most of them must be.


def gold(*types: str) -> Corpus:
    """One sentence, each word of which has an edit of these types."""
    edits = tuple(Edit(i, i + 1, ("x",), kind) for i, kind in enumerate(types))
    return Corpus([" ".join("a" * len(types))], [[Reference(edits=edits)]])


@pytest.mark.parametrize(
    ("types", "foreign"),
    [
        (("Nn", "R:NOUN"), []),  # half of them is not most
        (("Nn", "R:NOUN", "Vt"), ["Nn", "Vt"]),
        (("Vt", "Nn", "Nn", "M", "UNK"), ["Nn", "Vt"]),
        (("A", "B", "C", "D", "D"), ["D", "A", "B"]),
        (("M:DET", "U", "R"), []),
        ((), []),
    ],
)
def test_types_of_another_scheme(types: tuple[str, ...], foreign: list[str]) -> None:
    assert foreign_types(gold(*types)) == foreign


def test_gold_is_annotated_anew_only_where_most_types_are_foreign() -> None:
    kept = gold("Nn", "R:NOUN")
    assert retype(kept, PlainExtractor()) is kept
    changed = retype(gold("Nn", "Vt", "R:NOUN"), PlainExtractor())
    assert {edit.type for edit in changed.references[0][0].edits or ()} == {"R"}
