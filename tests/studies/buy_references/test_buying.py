"""Which references to buy: the list, its totals, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gecval import Corpus, InputError, buy_references, score
from gecval.sample import load_sample
from gecval.studies.reproduce.decisions import one_seed

CORPUS, SYSTEMS = load_sample()


def test_the_list_on_the_sample() -> None:
    result = buy_references(CORPUS, SYSTEMS, count=10)
    assert len(result) == 10
    gains = [row.gain for row in result.sentences]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0
    assert result.gain == pytest.approx(sum(gains))
    assert result.metric == "m2"
    scores = [row.score for row in score(CORPUS, SYSTEMS, ["m2"])]
    assert result.score == pytest.approx(np.mean(scores), abs=0.005)  # M² chooses references greedily
    spread = np.sqrt(sum(row.spread**2 for row in result.sentences))
    assert result.interval.high - result.gain == pytest.approx(1.959964 * spread, rel=1e-5)
    assert result.interval.low == pytest.approx(max(0.0, result.gain - 1.959964 * spread), abs=1e-8)
    assert result.spread_left**2 + spread**2 == pytest.approx(result.spread_of_all**2)
    assert [row.source for row in result.sentences] == [CORPUS.sources[row.sentence - 1] for row in result.sentences]
    assert {row.references for row in result.sentences} == {3}
    whole = buy_references(CORPUS, SYSTEMS, count=10**6)
    assert len(whole) == len(CORPUS)
    assert whole.gain == pytest.approx(whole.gain_of_all) == pytest.approx(result.gain_of_all)
    assert whole.spread_left == pytest.approx(0.0)


def test_sentences_with_errors_come_first() -> None:
    sources = [f"w{i} a" for i in range(40)]
    references = [[f"w{i} b", f"w{i} {'b' if i % 2 else 'c'}"] for i in range(40)]
    output = [f"w{i} {'b' if i < 30 else 'd'}" for i in range(40)]
    result = buy_references(Corpus.from_texts(sources, references), {"x": output}, count=10, metric="accuracy")
    assert {row.sentence for row in result.sentences} == set(range(31, 41))
    assert all(row.wrong == 1.0 for row in result.sentences)


def test_what_is_refused() -> None:
    for name in ("gleu", "sari", "ld", "perplexity"):
        with pytest.raises(InputError, match="choose m2, errant or accuracy"):
            buy_references(CORPUS, SYSTEMS, metric=name)
    for count in (0, -1, True, 1.5):
        with pytest.raises(InputError, match="count is a number from 1"):
            buy_references(CORPUS, SYSTEMS, count=count)  # type: ignore[arg-type]
    single = Corpus.from_texts(["a b"], [["a c"]])
    with pytest.raises(InputError, match="no sentence has two references"):
        buy_references(single, {"x": ["a b"]}, metric="accuracy")


def test_the_simulation_prefers_what_was_chosen() -> None:
    """Half of the sentences can gain nothing: the chosen references must close at least what random ones do."""
    rng = np.random.default_rng(4)
    right = np.where(np.arange(200)[:, None] < 100, 1, rng.random((200, 10)) < 0.2).astype(float)
    rows = np.stack([right, np.ones_like(right)], axis=-1)[None]
    ratio = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    closed, expected = one_seed(rows, ratio, np.arange(200.0), seed=3)
    assert closed["chosen", 0.25] > 1.3 * closed["random", 0.25]
    assert closed["chosen", 1.0] == closed["random", 1.0] == closed["longest", 1.0]
    assert 0 <= closed["chosen", 0.1] <= closed["chosen", 0.25] <= closed["chosen", 0.5] <= closed["chosen", 1.0] < 1
    assert 0.3 < expected < 3


# gecval coverage buy-references and gecval coverage true-precision, as typed.


TEXTS = "good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt"


def test_the_list_for_annotators(gecval, folder: Path) -> None:
    result = gecval(f"coverage buy-references {TEXTS} -m accuracy -n 2 --format json").json
    assert [row["sentence"] for row in result["sentences"]] == [1, 2]
    assert result["sentences"][0]["source"] == "He go to home ."
    assert (result["metric"], result["systems"]) == ("accuracy", 2)
    listed = gecval(f"coverage buy-references {TEXTS} -m accuracy -n 2 --format tsv -o list.tsv")
    assert listed.status == 0
    head, *rows = (folder / "list.tsv").read_text().splitlines()
    assert head.split("\t") == ["sentence", "references", "wrong", "gain", "spread", "source"]
    assert [row.split("\t")[0] for row in rows] == ["1", "2"]


def test_long_sources_are_cut_on_a_terminal_only(gecval, folder: Path) -> None:
    long = "He go " + "very " * 40 + "far ."
    for name in ("src.txt", "ref0.txt", "ref1.txt", "good.txt", "wild.txt"):
        lines = (folder / name).read_text().split("\n")
        (folder / name).write_text("\n".join([long if name == "src.txt" else f"{long} {name}", *lines[1:]]))
    line = f"coverage buy-references {TEXTS} -m accuracy -n 1"
    assert long[:60] in gecval(line).out
    assert long not in gecval(line).out
    assert long in gecval(f"{line} --format tsv").out


def test_what_cannot_be_bought(refused) -> None:
    assert "choose m2, errant or accuracy" in refused(f"coverage buy-references {TEXTS} -m gleu")
    assert "no sentence has two references" in refused(
        "coverage buy-references good.txt -s src.txt -r ref0.txt -m accuracy"
    )
    assert "is not in the range" in refused(f"coverage buy-references {TEXTS} -n 0")


def test_true_precision(gecval, folder: Path) -> None:
    pytest.importorskip("errant")
    result = gecval(f"coverage true-precision {TEXTS} --resamples 20 --format json").json
    wild = result["systems"][1]
    assert wild["system"] == "wild"
    assert wild["found"] + wild["unmatched"] == wild["edits"]
    assert wild["precision"] < wild["true_precision"] < 1
    assert wild["like_judged"] is False
    assert any("than of any judged system" in note for note in result["notes"])


def test_true_precision_refuses(refused) -> None:
    assert "needs two references or more for every sentence" in refused(
        "coverage true-precision good.txt -s src.txt -r ref0.txt"
    )
