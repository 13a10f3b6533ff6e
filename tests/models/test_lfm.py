"""Features by hand, and weights as a file."""

import json
import math
from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.metrics.lfm.features import FLOOR, amount, judges, ngram_features, parse_features
from gecval.metrics.lfm.metric import Weights, read_weights
from gecval.models.spacy_parser import ParsedSentence, ParsedToken


class Letters:
    """Knows words of one letter; a word's logarithm is its length of context plus its place in the alphabet."""

    def knows(self, word: str) -> bool:
        return len(word) == 1

    def log_probability(self, ngram: list[str]) -> float:
        last = 0 if ngram[-1] == "</s>" else "abc".index(ngram[-1]) + 1
        return -10.0 * len(ngram) - last


def test_amounts() -> None:
    assert amount("x", 3, 6) == {"x": 3, "x / words": 0.5, "log x": math.log(4)}
    assert amount("x", 0, 0) == {"x": 0, "x / words": 0.0, "log x": 0.0}


def test_ngrams_leave_out_unknown_words() -> None:
    features = ngram_features(Letters(), ["a", "c", "what", "b"])
    assert features == amount("unknown", 1, 4) | {
        # a, c, b and the end
        **{"least 1-gram": -13.0, "greatest 1-gram": -10.0, "mean 1-gram": -(11 + 13 + 12 + 10) / 4},
        # a after the start, c after a, the end after b
        **{"least 2-gram": -23.0, "greatest 2-gram": -20.0, "mean 2-gram": -(21 + 23 + 20) / 3},
        # c after the start and a
        **{"least 3-gram": -33.0, "greatest 3-gram": -33.0, "mean 3-gram": -33.0},
        # a after the start, c after both, b after nothing known, the end after b
        "log p / word": -(21 + 33 + 12 + 20) / 4,
    }
    assert ngram_features(Letters(), ["what"])["mean 2-gram"] == FLOOR


def parsed(*words: tuple[str, str, str, int]) -> ParsedSentence:
    sentence = ParsedSentence()
    for text, tag, dep, head in words:
        sentence.append(ParsedToken(sentence, text, text, 0, "", tag, dep, head, text.lower()))
    return sentence


def test_parse_features() -> None:
    features = parse_features(
        parsed(
            ("He", "PRP", "nsubj", 2), ("has", "VBZ", "aux", 2), ("gone", "VBN", "ROOT", 2), ("home", "NN", "obj", 2)
        )
    )
    assert {name: value for name, value in features.items() if not name.startswith(("tag", "dep "))} == {
        **{"roots": 1, "finite": 1.0, "subject": 1.0, "depth": 1, "depth / words": 0.25}
    }
    assert {name: value for name, value in features.items() if name.startswith("tag")} == {
        **{"tag PRP": 0.25, "tag VBZ": 0.25, "tag VBN": 0.25, "tag NN": 0.25}
    }
    fragment = parse_features(parsed(("For", "IN", "ROOT", 0), ("not", "RB", "neg", 0), ("use", "VB", "pobj", 0)))
    assert (fragment["finite"], fragment["subject"]) == (0.0, 0.0)
    assert parse_features(ParsedSentence())["depth"] == 0
    two = parse_features(parsed(("So", "RB", "ROOT", 0), ("it", "PRP", "nsubj", 2), ("works", "VBZ", "ROOT", 2)))
    assert (two["roots"], two["finite"], two["subject"]) == (2, 1.0, 1.0)


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    weights = Weights(
        intercept=2.0,
        weights={"a": 0.5, "b": -1.0},
        judges={"ngrams": "x:1"},
        trained={"on": "y", "alpha": 10.0},
    )
    path = tmp_path / "lfm.json"
    path.write_text("\n".join(weights.lines()), "utf-8")
    again, name = read_weights(str(path))
    assert again == weights
    assert name.startswith("lfm.json:")
    assert again.judgments([{"a": 2.0}, {"b": 1.0, "never seen": 9.0}]).tolist() == [3.0, 1.0]
    path.write_text("\n".join(Weights(intercept=1.0, weights={}, judges={}, trained={}).lines()), "utf-8")
    assert read_weights(str(path))[0].intercept == 1.0  # trained again


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"gecval": "lfm"}',
        '{"gecval": "lfm", "intercept": 1, "weights": {"a": "x"}, "judges": {}, "trained": {}}',
        b"\xff\xfe".decode("latin-1"),
        '{"gecval": "lfm", "intercept": 1, "weights": {"a": NaN}, "judges": {}, "trained": {}}',
        '{"gecval": "lfm", "intercept": 1, "weights": {}, "judges": [], "trained": {}}',
        pytest.param(f'{{"gecval": "lfm", "intercept": 1{"0" * 400}}}', id="an integer too large for a float"),
        pytest.param("[" * 100_000, id="brackets without an end"),
    ],
)
def test_what_is_no_model_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "lfm.json"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"lfm\.json is no model that `gecval lfm train` made"):
        read_weights(str(path))
    with pytest.raises(InputError, match="no such file; `gecval lfm train` makes such a model"):
        read_weights(str(tmp_path / "none.json"))


def test_unknown_features_are_named() -> None:
    with pytest.raises(InputError, match="there are no features 'magic'; there are spelling, grammar, ngrams, lm"):
        judges(["magic"])


def test_the_model_of_the_tests_says_that_it_is_made_up() -> None:
    model = json.loads(Path(__file__).parents[1].joinpath("expected", "lfm.json").read_text("utf-8"))
    assert "made up" in model["trained"]["on"]
