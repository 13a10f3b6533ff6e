"""Other languages as typed: parses, word lists, characters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SOURCE = "Mi vidas la kato\nLi estas bona\n"
CORRECTED = "Mi vidas la katon\nŜi estas bona\n"
PARSES = {
    "Mi": ("PRON", "mi", "_"),
    "vidas": ("VERB", "vidi", "_"),
    "la": ("DET", "la", "_"),
    "kato": ("NOUN", "kato", "Case=Nom"),
    "katon": ("NOUN", "kato", "Case=Acc"),
    "Li": ("PRON", "li", "_"),
    "Ŝi": ("PRON", "ŝi", "_"),
    "estas": ("VERB", "esti", "_"),
    "bona": ("ADJ", "bona", "_"),
}


def conllu(text: str) -> str:
    rows = []
    for line in text.splitlines():
        for number, form in enumerate(line.split(), start=1):
            upos, lemma, feats = PARSES[form]
            rows.append(f"{number}\t{form}\t{lemma}\t{upos}\t_\t{feats}\t0\t_\t_\t_")
        rows.append("")
    return "\n".join(rows) + "\n"


@pytest.fixture
def esperanto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    monkeypatch.chdir(tmp_path)
    for name, text in (("src", SOURCE), ("ref", CORRECTED), ("half", "Mi vidas la katon\nLi estas bona\n")):
        Path(f"{name}.txt").write_text(text, "utf-8")
        Path(f"{name}.conllu").write_text(conllu(text), "utf-8")
    return tmp_path


ALL = "--parses src.conllu --parses ref.conllu"
TEXTS = "half.txt -s src.txt -r ref.txt -m errant"


@pytest.mark.usefixtures("esperanto")
def test_score_with_parses(gecval) -> None:
    [row] = json.loads(gecval(f"score {TEXTS} {ALL} --lang eo --format json").out)["scores"]
    assert row["metric"] == "errant(lang='eo', parses=('src.conllu', 'ref.conllu'))"
    assert (row["parts"]["tp"], row["parts"]["fp"], row["parts"]["fn"]) == (1, 0, 1)
    assert "|spell:none|lang:eo|" in row["signature"]
    types = json.loads(gecval(f"score {TEXTS} {ALL} --lang eo --by-type --detail full --format json").out)
    assert {t["type"]: (t["tp"], t["fn"]) for t in types["types"]} == {"R:NOUN:CASE": (1, 0), "R:PRON": (0, 1)}


@pytest.mark.usefixtures("esperanto")
def test_other_metrics_take_the_edits(gecval) -> None:
    [row] = json.loads(gecval(f"score half.txt -s src.txt -r ref.txt -m m2 {ALL} --lang eo --format json").out)[
        "scores"
    ]
    assert "|universal|" in row["signature"]
    compared = json.loads(gecval(f"compare ref.txt {TEXTS} {ALL} --lang eo --format json").out)
    assert "lang='eo'" in json.dumps(compared)


@pytest.mark.usefixtures("esperanto")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        (f"score {TEXTS} {ALL}", "the text does not show its language, and types depend on it (option --lang)"),
        (
            f"score {TEXTS} {ALL} --lang en",
            "parses are of no use for lang en: it has rules of its own (option --parses)",
        ),
        (f"score {TEXTS} --parses src.conllu --lang eo", "src.conllu: line 4: the parse has 'kato', the text 'katon'"),
    ],
)
def test_refused(gecval, command: str, message: str) -> None:
    result = gecval(command)
    assert result.status == 2
    assert message in result.err
    assert "Traceback" not in result.err


@pytest.mark.usefixtures("esperanto")
def test_what_changes_nothing(gecval) -> None:
    half = f"score {TEXTS.replace('errant', 'gleu')} {ALL} --lang eo"
    assert "note: --parses changes nothing here" in gecval(half).err
    plain = f"annotate src.txt ref.txt -o gold.m2 --edits plain {ALL} --lang eo"
    assert "note: --edits changes nothing with --parses" in gecval(plain).err


@pytest.mark.usefixtures("esperanto")
def test_annotate_with_parses(gecval) -> None:
    gecval(f"annotate src.txt ref.txt -o gold.m2 {ALL} --lang eo")
    edits = [line for line in Path("gold.m2").read_text("utf-8").splitlines() if line.startswith("A")]
    assert edits == [
        "A 3 4|||R:NOUN:CASE|||katon|||REQUIRED|||-NONE-|||0",
        "A 0 1|||R:PRON|||Ŝi|||REQUIRED|||-NONE-|||0",
    ]
    Path("words.txt").write_text("katon\nŜi\n", "utf-8")
    gecval(f"annotate src.txt ref.txt -o gold.m2 {ALL} --lang eo --words words.txt")
    types = [line.split("|||")[1] for line in Path("gold.m2").read_text("utf-8").splitlines() if line.startswith("A")]
    assert types == ["R:NOUN:INFL", "R:PRON"]


CHINESE = "我昨天在家里看书了，我很高兴能够在这里认识你们。\n"


@pytest.fixture
def chinese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("pypinyin", reason="needs the extra: pip install 'gecval[zh]'")
    pytest.importorskip("opencc", reason="needs the extra: pip install 'gecval[zh]'")
    monkeypatch.chdir(tmp_path)
    Path("src.txt").write_text(CHINESE, "utf-8")
    Path("ref.txt").write_text(CHINESE.replace("了", ""), "utf-8")
    return tmp_path


@pytest.mark.usefixtures("chinese")
def test_errant_on_chinese_text(gecval) -> None:
    [row] = json.loads(gecval("score ref.txt -s src.txt -r ref.txt -m errant --format json").out)["scores"]
    assert (row["metric"], row["score"], row["parts"]["tp"]) == ("errant(lang='zh')", 1.0, 1)
    gecval("annotate src.txt ref.txt -o gold.m2 --edits cherrant")
    assert "A 8 9|||R|||-NONE-|||REQUIRED|||-NONE-|||0" in Path("gold.m2").read_text("utf-8")


@pytest.mark.usefixtures("chinese")
def test_characters(gecval) -> None:
    command = "score ref.txt -s src.txt -r ref.txt -m gleu -m bleu --tokenize char --format json"
    scores = json.loads(gecval(command).out)["scores"]
    assert [row["score"] for row in scores] == [1.0, 1.0]
    assert all("|tokenize:char|" in row["signature"] for row in scores)
    Path("gold.m2").write_text("S 我们 好\nA 0 1|||R|||他们|||REQUIRED|||-NONE-|||0\n", "utf-8")
    result = gecval("score ref.txt -r gold.m2 -m m2 --tokenize char")
    assert result.status == 2
    assert "sentence 1: the references' edits count words, not characters" in result.err
    assert "(options --tokenize and -r)" in result.err
