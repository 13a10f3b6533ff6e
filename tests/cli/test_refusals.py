"""Bad input: exit status 2, one line that names the file, the line and the remedy, nothing printed, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from gecval import metric_names

SCORE = "score good.txt -r gold.m2 -m m2"
TEXTS = "score good.txt -s src.txt -r ref0.txt"


def test_refused(answered, matches_transcript):
    matches_transcript("refusals/bad_input.txt", answered)


def test_a_name_like_no_other_metric(refused):
    assert refused(f"{TEXTS} -m fluency").endswith(f"`gecval metrics` lists all {len(metric_names())}")


@pytest.mark.parametrize(("command", "where"), [(f"{SCORE} --bogus", "gecval score"), ("--bogus", "gecval")])
def test_an_unknown_option(refused, command, where):
    message = refused(command)  # of gecval itself in click's words, which differ from version to version
    assert message.lower().startswith(("no such option", "no option"))
    assert "--bogus" in message
    assert f"{where} --help" in message


def test_an_empty_folder(refused, folder):
    (folder / "out").mkdir()
    assert refused("score out -r gold.m2 -m m2") == "out is a folder without outputs"


@pytest.mark.parametrize("name", ["good.txt", "ref0.txt", "src.txt"])
def test_wrong_encoding(refused, folder, name):
    (folder / name).write_bytes("Fine .\nCaf\xe9 .\nc\nd\n".encode("latin-1"))
    assert refused(f"{TEXTS} -m gleu") == f"{name}: line 2 is not UTF-8; convert the file, e.g. with iconv"


def test_a_file_that_cannot_be_read(refused, folder):
    # Root may read everything, but nobody the memory at address 0.
    memory = Path("/proc/self/mem")
    if not memory.exists():
        pytest.skip("no /proc on this system")
    assert refused("score good.txt -s /proc/self/mem -m ld") == "/proc/self/mem: Input/output error"


def test_a_folder_that_cannot_be_read(refused, folder, monkeypatch):
    def refuse(self):
        raise PermissionError(13, "Permission denied", str(self))

    (folder / "out").mkdir()
    monkeypatch.setattr(Path, "iterdir", refuse)
    assert refused("score out -r gold.m2 -m m2") == "out: Permission denied"


def test_a_name_that_is_too_long(refused):
    shown = f"{'x' * 99}…{'x' * 99}: File name too long"
    for line in (f"score {'x' * 300} -r gold.m2 -m m2", f"score good.txt -r {'x' * 300} -m m2"):
        assert refused(line) == shown
    assert refused(f"score good.txt -r gold.m2 -m m2 -o {'x' * 300}") == f"cannot write {shown}"


def test_m2_with_a_bad_line(refused, folder):
    (folder / "gold.m2").write_text("S He go .\nA 1 9|||R|||x|||REQUIRED|||-NONE-|||0\n")
    assert refused(SCORE) == "gold.m2: line 2: edit 1 9 is out of range; the sentence has 3 tokens (option --lenient)"


def test_a_note_does_not_come_before_a_refusal(refused, folder):
    (folder / "gold.m2").write_text(
        "S a b\nA 0 2|||R|||x|||REQUIRED|||-NONE-|||0\nA 1 2|||R|||x|||REQUIRED|||-NONE-|||0\n"
    )
    assert refused(SCORE) == "good.txt has 4 lines, gold.m2 1; they part at the first line (option --realign)"


def test_a_sentence_without_reference(refused, folder):
    (folder / "gold.jsonl").write_text('{"source": "a", "references": ["b"]}\n{"source": "c"}\n')
    (folder / "two.txt").write_text("a\nb\n")
    assert (
        refused("score two.txt -r gold.jsonl -m gleu")
        == "gleu needs a reference for every sentence; sentence 2 has none"
    )


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_where_files_of_unequal_length_part(refused, folder, data, verb):
    source = data / "conll14" / "source.txt"
    lines = (data / "conll14" / "systems" / "AMU").read_text().split("\n")
    del lines[402]
    (folder / "AMU").write_text("\n".join(lines))
    assert refused(f"{verb} AMU AMU -m ld -s", source) == (
        f"AMU has 1311 lines, {source} 1312; they part after line 402: there is no output for line 403; "
        "write one for each, the source where the system gave none"
    )


MODULE = """
def raises(source, hypothesis, references): return references[7]
def two_lines(source, hypothesis, references): raise ValueError("one\\ntwo")
def word(source, hypothesis, references): return "good"
def text(source, hypothesis, references): return "0.5"
def none(source, hypothesis, references): return None
def nan(source, hypothesis, references): return float("nan")
def several(source, hypothesis, references): return [0.5, 0.5]
def two_arguments(source, hypothesis): return 1.0
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("raises", "IndexError: list index out of range"),
        ("two_lines", "ValueError: one two"),
        ("two_arguments", "TypeError: two_arguments() takes 2 positional arguments but 3 were given"),
    ],
)
def test_a_function_that_fails(refused, folder, name, message):
    (folder / "mine.py").write_text(MODULE)
    assert refused(f"{TEXTS} -m mine:{name}") == f"mine:{name} failed on sentence 1 of good: {message}"


@pytest.mark.parametrize("name", ["text", "none", "nan", "word", "several"])
def test_a_function_that_returns_no_number(refused, folder, name):
    (folder / "mine.py").write_text(MODULE)
    assert f"mine:{name}" in refused(f"{TEXTS} -m mine:{name}")


@pytest.mark.parametrize(
    "content",
    [
        "import no_such_module",
        "def f(:",
        "1 / 0",
    ],
)
def test_a_module_that_cannot_be_loaded(refused, folder, content):
    (folder / "mine.py").write_text(content)
    assert refused(f"{TEXTS} -m mine:f").startswith("cannot load the metric 'mine:f': ")


WRONG = ["gleu(n='4')", "gleu(n=None)", "gleu(n=10**9)", "gleu(n=m2)", "m2(max_unchanged=-1)", "m2(max_unchanged='2')"]
WRONG += ["m2(beta='a')", "m2(beta=0)", "m2(level='word')", "m2(1, 2, 3, 4, 5, 6)", "ld(1)"]
WRONG += ["gleu(n=2.5)", "gleu(n=1000000000000)", "gleu(iterations=1.5)", "sari(n=2.5)", "bleu(n=2.5)"]
WRONG += ["m2(max_unchanged=1.5)", "m2(max_unchanged=10000000000000)", "m2(bonus='no')", "m2(beta=1e999)"]


@pytest.mark.parametrize("spelling", WRONG)
def test_bad_parameters(refused, spelling):
    refused("score good.txt -r gold.m2", "-m", spelling)


CLASS = """
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from gecval import Metric, Statistics
from gecval.metrics.reference_rules import RunningBest

@dataclass(frozen=True, repr=False)
class Mine(Metric):
    name: ClassVar[str] = "mine"
    shape: tuple = (4, 3)
    rule = RunningBest()

    def statistics(self, corpus, system, *, run=None):
        return Statistics.one_per_sentence(np.zeros(self.shape))

    def score(self, totals):
        return totals[..., 0] / totals[..., 1]
"""


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("mine:Mine", "mine gives nan for good; let it say what 0 / 0 is to be"),
        (
            "mine:Mine(shape=(4, 2))",
            "mine(shape=(4, 2)): its statistics have 2 columns, and the rule running-best takes 3",
        ),
        (
            "mine:Mine(shape=(3, 3))",
            "mine(shape=(3, 3)): its statistics are of 3 sentences, and the corpus has 4",
        ),
    ],
)
def test_a_metric_that_gives_what_cannot_be_scored(refused, folder, spelling, message):
    (folder / "mine.py").write_text(CLASS)
    assert refused(TEXTS, "-m", spelling) == message


HALF = "\\ud800"  # half of a surrogate pair, as JSON spells it


def test_half_of_a_surrogate_pair_in_json(gecval, refused, folder):
    assert gecval(f"{SCORE} --passport passport.jsonl --format json -o result.json").status == 0
    gate = "compare good.txt wild.txt -r gold.m2 --fail-if-worse 'm2: 0.1 @ 0.95' --looks looks.json"
    gecval(gate)
    (folder / "prices.json").write_text("{}")
    for name, old, command in (
        ("passport.jsonl", '"good"', "explain verify passport.jsonl"),
        ("result.json", '"good"', "explain difference result.json result.json"),
        ("looks.json", '"m2: 0.1 @ 0.95"', gate),
        ("prices.json", "{", "score good.txt -r gold.m2 -m 'errant(weights=\"prices.json\")'"),
    ):
        content = (folder / name).read_text()
        assert old in content
        new = f'{{"{HALF}": 1' if old == "{" else f'"{HALF}"'
        (folder / name).write_text(content.replace(old, new))
        assert refused(command).startswith(name)


def test_numbers_of_thousands_of_digits(refused):
    digits = "1" * 4301
    assert "is no part" in refused(f"{SCORE} --save part --shard 1/{digits}")
    assert "is no backend" in refused(f"maege gold.m2 -r gold.m2 -m gleu --backend processes:{digits}")


@pytest.mark.filterwarnings("error::SyntaxWarning")
def test_python_does_not_comment_on_parameters(refused):
    message = refused("""score good.txt -r gold.m2 -m 'cleme(mode=2independent")'""")
    assert message.startswith("cannot read the parameters of")
