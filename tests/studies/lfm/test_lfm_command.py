"""gecval lfm, and -m lfm, as typed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Gecval = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("folder")
pytest.importorskip("pocketsphinx", reason="needs the extra: pip install 'gecval[lfm]'")
pytest.importorskip("sklearn", reason="needs the extra: pip install 'gecval[lfm]'")

GOOD = ["He went to school.", "She likes the house.", "We are at home.", "They have a good time.", "I know the way."]
BAD = ["He goed at schol.", "She like house the.", "We is on hoem.", "They has timed goodly.", "I knowed ways the of."]


@pytest.fixture
def judgments(folder: Path) -> Path:
    lines = ["Sentence\tAverage\tDataset"]
    for split in ("train", "dev", "test"):
        for i, (good, bad) in enumerate(zip(GOOD, BAD, strict=True)):
            lines += [f"{good}\t{4 - i / 10}\t{split}", f"{bad}\t{1 + i / 10}\t{split}"]
    path = folder / "judgments.tsv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.mark.usefixtures("judgments")
def test_train_then_score(gecval: Gecval) -> None:
    trained = gecval("lfm train judgments.tsv -o model.json --features ngrams --format json")
    assert trained.status == 0, trained.err
    printed = trained.json
    rows = printed["agreement"]
    assert [(row["split"], row["pearson"]["n"]) for row in rows] == [("dev", 10), ("test", 10)]
    assert all(row["pearson"]["value"] > 0.9 and row["accuracy"] >= 0.8 and row["majority"] == 0.5 for row in rows)
    model = json.loads(Path("model.json").read_text("utf-8"))
    assert {"gecval": "lfm", **printed["model"]} == model
    assert model["trained"]["on"] == "judgments.tsv"
    assert set(model["judges"]) == {"ngrams"}
    Path("good.txt").write_text("He went to school .\nWe are at home .\n", "utf-8")
    Path("bad.txt").write_text("He goed at schol .\nWe is on hoem .\n", "utf-8")
    Path("empty.txt").write_text("He went to school .\n\n", "utf-8")
    command = "score good.txt bad.txt empty.txt -s bad.txt -m 'lfm(model=\"model.json\")' --format json --sentences"
    good, bad, empty = gecval(command).json["scores"]
    assert good["score"] > 0.6 > 0.4 > bad["score"]
    assert good["score"] == pytest.approx(sum(good["sentences"]) / 2)
    assert empty["sentences"] == [good["sentences"][0], 0.0]
    assert "lfm|model:model.json:" in good["signature"]
    assert "pocketsphinx:" in good["signature"]


@pytest.mark.usefixtures("judgments")
def test_a_plot_shows_the_model_and_its_features(gecval: Gecval) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra: pip install 'gecval[report]'")
    assert gecval("lfm train judgments.tsv -o model.json --features ngrams,spelling --plot features.json").status == 0
    chart = json.loads(Path("features.json").read_text("utf-8"))
    rows = [row for values in chart["datasets"].values() for row in values]
    names = ["dev", "test", "ngrams alone", "without ngrams", "spelling alone", "without spelling"]
    assert [row["model"] for row in rows] == names
    assert all(row["low"] <= row["r"] <= row["high"] for row in rows)
    assert rows[0]["low"] < rows[0]["high"]
    assert [row["features"] for row in rows] == ["all", "all", *["alone", "all others"] * 2]
    assert chart["height"] == 20 * len(rows)


def test_alone_it_says_what_it_can_do(gecval: Gecval) -> None:
    assert gecval("lfm") == gecval("lfm --help")
    assert "train  Train on JUDGMENTS" in gecval("lfm").out


@pytest.mark.usefixtures("judgments")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("lfm train judgments.tsv -o m.json --features magic", "there are no features 'magic'; there are spelling"),
        ("lfm train src.txt -o m.json", "src.txt: line 1 names no column 'sentence'"),
        ("lfm train none.tsv -o m.json", "none.tsv: no such file"),
        ("lfm train judgments.tsv", "Missing option '-o'"),
        (
            "lfm train judgments.tsv -o m.json --features ''",
            "there are no features ''; there are spelling, grammar, ngrams, lm, parse, link (option --features)",
        ),
        (
            "lfm train judgments.tsv -o m.json --features ngrams,",
            "there are no features ''; there are spelling, grammar, ngrams, lm, parse, link (option --features)",
        ),
        (
            "score copy.txt -s src.txt -m lfm",
            "lfm needs a model of your own: train one with `gecval lfm train gug_annotations.tsv",
        ),
        ("score copy.txt -s src.txt -m 'lfm(model=\"src.txt\")'", "src.txt is no model that `gecval lfm train` made"),
    ],
)
def test_refusals(gecval: Gecval, command: str, message: str) -> None:
    refused = gecval(command)
    assert refused.status == 2
    assert message in refused.err
    assert refused.err.count("\n") == 1
    assert not Path("m.json").exists()


@pytest.mark.usefixtures("judgments")
def test_a_model_trained_with_other_judges_is_noted(gecval: Gecval) -> None:
    gecval("lfm train judgments.tsv -o model.json --features ngrams")
    model = json.loads(Path("model.json").read_text("utf-8"))
    model["judges"]["ngrams"] = "pocketsphinx:1.0"
    Path("other.json").write_text(json.dumps(model), "utf-8")
    scored = gecval("score copy.txt -s src.txt -m 'lfm(model=\"other.json\")'")
    assert scored.status == 0
    assert "was trained with other judges: pocketsphinx:" in scored.err
    assert "for pocketsphinx:1.0; train it again" in scored.err
