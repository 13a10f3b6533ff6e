"""gecval doctor, and the commands that it tells people to type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import check_schema
from gecval import load_sample
from gecval.formats import write_corpus
from ways import ODD, write_small_files


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    write_small_files(folder)


def test_findings_and_what_to_type(gecval) -> None:
    result = gecval("doctor odd.m2 --format json")
    assert result.status == 0
    diagnosis = json.loads(result.out)
    assert diagnosis["healthy"] is False
    assert [(row["kind"], row["count"], row["lines"]) for row in diagnosis["findings"]] == [
        ("zero-width characters", 1, [1]),
        ("duplicated edits", 1, [1]),
        ("contained edits", 2, [2]),
        ("edits out of order", 1, [2]),
        ("edits that do nothing", 1, [3]),
        ("gold is not 1 against itself", 3, [1, 2, 3]),
    ]
    assert [row["remedy"] for row in diagnosis["findings"]][:2] == [
        "gecval doctor odd.m2 --fix invisible",
        "gecval doctor odd.m2 --fix duplicates",
    ]


def test_what_it_tells_to_type_fixes_everything(gecval, folder: Path) -> None:
    """Every remedy is typed, one after the other; then nothing is odd."""
    (folder / "now.m2").write_text(ODD)
    for _ in range(8):
        findings = json.loads(gecval("doctor now.m2 --format json").out)["findings"]
        if not findings:
            break
        assert gecval(findings[0]["remedy"].removeprefix("gecval ")).status == 0
        (folder / "now.fixed.m2").replace(folder / "now.m2")
    assert findings == []
    assert (folder / "now.m2").read_text().split("\n")[:2] == [
        "S He go to home .",
        "A 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0",
    ]


def test_all_fixes_at_once(gecval, folder: Path) -> None:
    result = gecval("doctor odd.m2 --fix all")
    assert result.status == 0
    assert "odd.fixed.m2 written (fixes: duplicates, idle, order, overlaps, invisible)" in result.err
    assert json.loads(gecval("doctor odd.fixed.m2 --format json").out)["healthy"]
    assert gecval("doctor odd.fixed.m2 --fix all").status == 0  # nothing is left to fix
    assert not (folder / "odd.fixed.fixed.m2").exists()


def test_an_output_is_fixed_next_to_it(gecval, folder: Path) -> None:
    (folder / "glued.txt").write_text("He goes home.\nShe likes apples.\nFine .\nI have two cats.\n")
    [row] = json.loads(gecval("doctor gold.m2 glued.txt --format json").out)["findings"]
    assert (row["kind"], row["where"], row["lines"]) == ("untokenised lines", "glued.txt", [1, 2, 4])
    assert (row["scored"], row["fixed"], row["fix"]) == ("m2", 1.0, "tokens")
    assert row["score"] == pytest.approx(10 / 17)
    assert row["remedy"] == "gecval doctor gold.m2 glued.txt --fix tokens"
    assert gecval("doctor gold.m2 glued.txt --fix tokens").status == 0
    assert (folder / "glued.fixed.txt").read_text().split("\n")[0] == "He goes home ."
    assert not (folder / "gold.fixed.m2").exists()


def test_programs_get_the_remedy_too(gecval) -> None:
    head, first, *_ = gecval("doctor odd.m2 --format tsv").out.split("\n")
    assert head.split("\t")[-2:] == ["what it does", "what to type"]
    assert first.split("\t")[-1] == "gecval doctor odd.m2 --fix invisible"


def test_on_a_terminal_commands_stand_below_what_they_fix(gecval) -> None:
    lines = gecval("doctor odd.m2").out.split("\n")
    commands = [line.rstrip() for line in lines if line.startswith("       $ gecval ")]
    assert commands[0] == "       $ gecval doctor odd.m2 --fix invisible"
    assert lines[[line.rstrip() for line in lines].index(commands[0]) - 1].startswith(" 1     odd.m2: ")
    assert max(map(len, lines)) <= 112
    assert "Gold against itself" not in "\n".join(lines)
    assert "Gold against itself" in gecval("doctor odd.m2 --full").out


def test_outputs_come_first_and_the_most_expensive_before_all(gecval, folder: Path) -> None:
    (folder / "quoted.txt").write_text('"He goes home ."\n"She likes apples ."\n"Fine ."\n"I have two cats ."\n')
    found = json.loads(gecval("doctor quoted.txt wild.txt -r odd.m2 --format json").out)["findings"]
    assert found == json.loads(gecval("doctor odd.m2 quoted.txt wild.txt --format json").out)["findings"]
    outputs = [finding["where"] in ("quoted.txt", "quoted", "wild.txt", "wild") for finding in found]
    assert outputs == sorted(outputs, reverse=True)
    assert any(outputs)


def test_strict_is_for_programs(gecval) -> None:
    assert gecval("doctor odd.m2 --strict").status == 1
    assert gecval("doctor src.txt ref0.txt ref1.txt --strict").status == 0
    assert gecval("doctor odd.m2").status == 0


def test_refusals(answered, refused, folder: Path) -> None:
    write_small_files(folder)
    assert refused("doctor nowhere.m2") == "nowhere.m2: no such file"
    assert refused("doctor gold.m2 --fix nfc") == "--fix changes nothing: gold.m2 has nothing of the kind"
    assert refused("doctor src.txt --fix nfc") == "--fix changes nothing: src.txt has nothing of the kind"
    assert "'tokens' would move the words that edits count" in refused("doctor gold.m2 --fix tokens")
    assert "--missing-annotator changes nothing" in answered("doctor src.txt ref0.txt --missing-annotator agreed")


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "tsv", "csv", "jsonl"])
def test_every_style(gecval, style: str) -> None:
    result = gecval(f"doctor odd.m2 --format {style} {'--full' if style in ('text', 'markdown', 'latex') else ''}")
    assert result.status == 0
    assert "zero-width characters" in result.out
    assert "\u200b" not in result.out  # what cannot be seen is named
    assert "U+200B" in result.out


def test_an_unreadable_file_follows_the_schema_too(gecval, folder: Path) -> None:
    (folder / "short.txt").write_text("He goes home .\n")
    out = gecval("doctor src.txt short.txt --format json").out
    check_schema(out)
    assert json.loads(out)["contents"] is None
    assert "$" not in gecval("doctor src.txt short.txt").out  # there is nothing to type


def test_an_unreadable_file_shows_what_its_reader_says(gecval, folder: Path) -> None:
    """In every style, and the exit status is that of bad input."""
    failed = {"custom_id": "r-2", "response": None, "error": {"message": "rate limit"}}
    (folder / "batch.jsonl").write_text(json.dumps(failed) + "\n")
    for options in ("", "--full", "--strict", "--format json", "--format tsv", "--format markdown"):
        result = gecval(f"doctor batch.jsonl -r gold.m2 {options}")
        says = "batch.jsonl: line 1 (r-2): the model gave an error: rate limit; ask for this sentence again"
        assert (result.status, says in result.out) == (2, True), options


def test_columns_and_essays_are_fixed_as_they_are(gecval, folder: Path) -> None:
    (folder / "pairs.tsv").write_text("He go.\tHe goes.\n")
    assert gecval("doctor pairs.tsv --fix tokens").status == 0
    assert (folder / "pairs.fixed.tsv").read_text() == "He go .\tHe goes .\n"
    (folder / "essays.md").write_text("### essay_id = 7\nHe go.\n")
    assert gecval("doctor essays.md --fix tokens").status == 0
    assert (folder / "essays.fixed.md").read_text() == "### essay_id = 7\nHe go .\n"


CHINESE = {"zh.txt": "因为在冰箱里没什么东西\n", "ref.txt": "因为在冰箱里没有什么东西\n"}


@pytest.mark.parametrize("files", ["zh.txt ref.txt", "zh.m2", "pairs.tsv"])
def test_what_it_tells_to_type_scores_chinese(gecval, folder: Path, files: str) -> None:
    for name, content in CHINESE.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "pairs.tsv").write_text("\t".join(text.strip() for text in CHINESE.values()) + "\n", encoding="utf-8")
    gecval("convert zh.txt ref.txt -o zh.m2")
    [row] = json.loads(gecval(f"doctor {files} --format json").out)["findings"]
    assert row["kind"] == "no blanks between words"
    for command in row["remedy"].split(" && "):
        result = gecval(command.removeprefix("gecval ").replace("SYSTEM", "ref.txt"))
        assert result.status == 0, result.err
    assert "1.0000" in result.out


def test_a_source_alone_needs_a_reference(gecval, folder: Path) -> None:
    (folder / "zh.txt").write_text(CHINESE["zh.txt"], encoding="utf-8")
    [row] = json.loads(gecval("doctor zh.txt --format json").out)["findings"]
    assert row["remedy"] == "gecval score SYSTEM -s zh.txt -r REFERENCE -m m2 --tokenize char"


def test_folders_of_outputs_are_those_of_score(gecval, folder: Path) -> None:
    (folder / "none").mkdir()
    [row] = json.loads(gecval("doctor gold.m2 --systems none --format json").out)["findings"]
    assert (row["kind"], row["effect"]) == ("cannot be read", "none is a folder without outputs")
    (folder / "some").mkdir()
    (folder / "some/README.md").write_text("x\n")
    (folder / "some/good.txt").write_text((folder / "good.txt").read_text())
    result = gecval("doctor gold.m2 --systems some")
    assert "some: README.md skipped: not an output" in result.err


def test_an_output_with_columns_has_no_odd_tabs(gecval, folder: Path) -> None:
    (folder / "src2.txt").write_text("He go .\nFine .\n")
    (folder / "ref2.txt").write_text("He goes .\nFine .\n")
    (folder / "columns.tsv").write_text("He go .\tHe went .\nFine .\tFine .\n")
    assert json.loads(gecval("doctor src2.txt ref2.txt --systems columns.tsv --format json").out)["findings"] == []


def test_what_fixes_an_output_in_m2(gecval, folder: Path) -> None:
    edit = "A 1 2|||R|||go\u200bes|||REQUIRED|||-NONE-|||0\n"
    (folder / "hyp.m2").write_text(f"S He go .\n{edit}")
    (folder / "ref.m2").write_text(f"S He go .\n{edit}".replace("\u200b", ""))
    [row] = json.loads(gecval("doctor ref.m2 hyp.m2 --format json").out)["findings"]
    assert row["remedy"] == "gecval doctor ref.m2 hyp.m2 --fix invisible"
    assert gecval(row["remedy"].removeprefix("gecval ")).status == 0


@pytest.mark.parametrize("typed", ["gold.m2 gone.txt", "gold.m2 --systems gone.txt", "src.txt gone.txt", "gone.txt"])
def test_a_file_that_is_not_there_is_refused(gecval, folder: Path, typed: str) -> None:
    (folder / "src.txt").write_text("He go .\n")
    assert gecval(f"doctor {typed}") == (2, "", "gecval: gone.txt: no such file\n")


def test_an_edit_without_a_correction_is_looked_at_as_it_stands(gecval, folder: Path) -> None:
    (folder / "broken.m2").write_text(
        "S He go .\nA 1 2|||R:VERB\u200b\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n\n"
    )
    wrong, invisible = json.loads(gecval("doctor broken.m2 --format json").out)["findings"]
    assert (wrong["kind"], wrong["count"]) == ("lines that are wrong", 1)
    assert (invisible["lines"], invisible["example"]) == ([2], "1 2|||R:VERB⟨U+200B⟩")


def test_a_batch_of_chat_answers_is_fixed_as_lines_of_text(gecval, folder: Path) -> None:
    (folder / "src.txt").write_text("He go home .\nFine .\nShe like it .\nI sees him .\n")
    corrected = ["He goes home .", "Fine .", "She likes it .", "I see him ."]
    (folder / "ref.txt").write_text("\n".join(corrected) + "\n")
    answers = [f"Sure! Here is the corrected text: {text}" for text in corrected[:3]] + corrected[3:]
    lines = [
        json.dumps({"custom_id": f"r-{n}", "response": {"body": {"choices": [{"message": {"content": text}}]}}})
        for n, text in enumerate(answers)
    ]
    (folder / "batch.jsonl").write_text("\n".join(lines) + "\n")
    findings = json.loads(gecval("doctor batch.jsonl -s src.txt -r ref.txt --format json").out)["findings"]
    [remedy] = [row["remedy"] for row in findings if row["kind"] == "chat preambles"]
    assert "batch.jsonl --fix preambles" in remedy
    assert gecval(remedy.removeprefix("gecval ")).status == 0
    assert (folder / "batch.fixed.txt").read_text().splitlines() == corrected


def batch(path: Path, answers: list[str | None], refusals: dict[int, str] | None = None) -> Path:
    """A batch of answers; some are refusals by name."""
    refused = refusals or {}
    messages = [
        {"content": None if n in refused else text, "refusal": refused.get(n)} for n, text in enumerate(answers)
    ]
    bodies = [{"choices": [{"message": message}]} for message in messages]
    lines = [json.dumps({"custom_id": f"r-{n}", "response": {"body": body}}) for n, body in enumerate(bodies)]
    path.write_text("\n".join(lines) + "\n")
    return path


def sample(folder: Path) -> list[str]:
    """The sample corpus as gold, and the lines of one of its outputs. Its sources have clitics."""
    corpus, systems = load_sample()
    write_corpus(corpus, folder / "learners.m2")
    return list(systems[1].hypotheses)


def test_all_fixes_of_a_chat_model_leave_nothing_and_damage_nothing(gecval, folder: Path) -> None:
    sound = sample(folder)
    said = list(sound)
    said[3] = f"Here is the corrected sentence:\n\n**{said[3]}**"
    said[5] = f'"{said[5]}"'
    said[7] = f"{said[7]} Let me know if you need anything else!"
    for i in (10, 20, 30, 40):
        said[i] = f"Sure! Here is the corrected text:\n\n{said[i]}"
    said[50] = f"Here is the corrected text: * * {said[50]} * *"
    said[11] = "No correction needed."
    said[12] = "I'm sorry, but I can't assist with that request."
    batch(folder / "gpt.jsonl", said, {13: "This is not something that I do."})
    result = gecval("doctor gpt.jsonl -r learners.m2 --fix all")
    assert result.status == 0
    assert "1 of 72 answers: line 14 (r-13); what it said counts as output; 'gecval doctor GOLD gpt" in result.err
    assert "(fixes: refusals, answers, preambles, comments, quoted, markdown)" in result.err
    corpus, _ = load_sample()
    kept = [corpus.sources[i] if i in (11, 12, 13) else text for i, text in enumerate(sound)]
    assert (folder / "gpt.fixed.txt").read_text().splitlines() == kept
    left = json.loads(gecval("doctor gpt.fixed.txt -r learners.m2 --format json").out)["findings"]
    assert [row["kind"] for row in left] == ["gold is not 1 against itself"]
    single = gecval("doctor gpt.jsonl -r learners.m2 --fix refusals")
    assert single.status == 0
    assert (folder / "gpt.fixed.txt").read_text().splitlines()[13] == corpus.sources[13]


def test_all_fixes_find_what_debris_hides(gecval, folder: Path) -> None:
    """Quotes behind a preamble in every line, around glued punctuation."""
    sound = sample(folder)
    corpus, _ = load_sample()
    stops = [text.endswith(" .") and ":" not in text for text in sound]
    texts = [text for text, stop in zip(sound, stops, strict=True) if stop]
    write_corpus(corpus[stops], folder / "stops.m2")
    batch(folder / "gpt.jsonl", [f'Corrected: "{text[:-2]}."' for text in texts])
    assert "(fixes: tokens, preambles, quoted)" in gecval("doctor gpt.jsonl -r stops.m2 --fix all").err
    assert (folder / "gpt.fixed.txt").read_text().splitlines() == texts


def test_all_leaves_out_what_lowers_the_score(gecval, folder: Path) -> None:
    (folder / "end.m2").write_text("S He go now\nA 1 3|||R|||goes now.|||REQUIRED|||-NONE-|||0\n\n" * 4)
    (folder / "end.txt").write_text("He goes now.\n" * 4)
    result = gecval("doctor end.txt -r end.m2 --fix all")
    assert result.status == 0
    assert result.err.splitlines() == [
        "gecval: note: --fix all leaves out tokens for end.txt: m2 would fall from 1.0000 to 0.0000; "
        "'--fix tokens' does it all the same",
        "gecval: note: nothing was found that --fix could fix",
    ]
    assert not (folder / "end.fixed.txt").exists()
    assert gecval("doctor end.txt -r end.m2 --fix tokens").status == 0
    assert (folder / "end.fixed.txt").read_text() == "He goes now .\n" * 4


def test_fixed_files_need_no_fix(gecval, folder: Path) -> None:
    """Every fix by its name, applied to what it wrote, changes nothing."""
    sample(folder)
    texts = [
        f'"{text[:-2]}."' if text.endswith(" .") else f"- **{text}** I hope this helps!" for text in sample(folder)
    ]
    (folder / "out.txt").write_text("\n".join(texts) + "\n")
    for name in ("quoted", "tokens", "comments", "bullets", "markdown", "all"):
        assert gecval(f"doctor out.txt -r learners.m2 --fix {name}").status == 0
        (folder / "once.txt").write_text((folder / "out.fixed.txt").read_text())
        again = gecval(f"doctor once.txt -r learners.m2 --fix {name}")
        assert "changes nothing" in again.err or "nothing was found that --fix could fix" in again.err
