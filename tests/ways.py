"""All the ways in which verbs are called, with small files, for laws that hold over all verbs."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from command_line import FILES
from gecval import Corpus, Resampling, score, track
from gecval.metrics.registry import FunctionMetric
from gecval.sample import load_sample

JUDGMENTS = [
    {"sentence": 1, "judge": "anna", "ranks": {"good": 1, "wild": 3, "copy": 2}},
    {"sentence": 2, "judge": "anna", "ranks": {"good": 2, "wild": 1, "copy": 3}},
    {"sentence": 4, "judge": "ben", "ranks": {"good": 1, "wild": 3, "copy": 3, "INPUT": 3}},
]
CROWD = ["source\tcorrection"]
CROWD += [f"he go home\the {verb} home" for verb in ("goes", "goes", "went", "is going", "go")]
CROWD += [f"she like it\tshe {verb} it" for verb in ("likes", "likes", "liked", "loves", "prefers")]
CROWD += [f"word{i} are here\tword{i} {verb} here" for i in range(8) for verb in ("is", "was", "is", f"will{i % 3}")]
CROWD += [f"fine then\t{text}" for text in ("fine then", "fine then", "fine , then", "fine then", "well then")]

# An edit twice, one within another, one that does nothing, and a zero-width space.
ODD = """S He go to ho\u200bme .
A 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0

S She like apple .
A 1 3|||R:WO|||likes apples|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||likes|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Fine .
A 0 1|||R:ADJ|||Fine|||REQUIRED|||-NONE-|||0

S I has two cat .
A 1 2|||R:VERB|||have|||REQUIRED|||-NONE-|||0

"""
PAIRS = [
    {"source": "He go to home .", "hypothesis": "He goes home .", "references": ["He goes home ."], "other": "He"},
    {"source": "She like apple .", "hypothesis": "She like a apple .", "references": ["She likes it ."], "other": "b"},
]
PEOPLE = {"correlations": [{"metric": name, "spearman": {"value": 0.5}} for name in ("gleu", "sari", "m2")]}

SMALL = ["He go to home .", "She like apple .", "Fine .", "I has two cat ."]
REFERENCES = (
    ["He goes home .", "She likes apples .", "Fine .", "I have two cats ."],
    ["He went home .", "She likes an apple .", "Fine .", "I have two cats ."],
)

ESSAYS = {
    "orig": {"a": "He go home now.\nShe like it.", "b": "I has two cat at home.", "c": "It are fine, I think."},
    "first": {
        "a": "He goes home now.\nShe likes it.",
        "b": "I have two cats at home.",
        "c": "It is fine, I think.",
    },
    "second": {"a": "He went home now.\nShe liked it.", "b": "I have two cats at home."},
    "mine": {
        "a": "He goes home now.\nShe liked it.",
        "b": "I have two cat at home.",
        "c": "It is fine, I think.",
    },
}

# The ways in which a verb is called. An option is tried in all of them. A way may be refused without the option.
SYSTEMS = "good.txt copy.txt wild.txt"
HUMAN = "human judged.jsonl --ranking expected-wins"
OUTPUTS = "--systems good.txt --systems wild.txt --systems copy.txt -r gold.m2"
TEXTS = "--systems good.txt --systems wild.txt --systems copy.txt -s src.txt -r ref0.txt"
TOO_FEW = "--systems good.txt --systems wild.txt -r gold.m2"
JUDGE = '\'llm-judge(model="m", url="http://localhost:9/v1")\''
MAEGE = "maege gaps.m2 -r learners.m2 -m gleu -m sari"
WAYS = {
    "score": [
        f"score {SYSTEMS} -r gold.m2 -m m2",
        f"score {SYSTEMS} -r gold.m2 -m m2 -m gleu --ci",
        f"score {SYSTEMS} -r gold.m2 -m gleu --clusters",
        f"score {SYSTEMS} -r gold.m2 -m accuracy --sentences",
        f"score {SYSTEMS} -s src.txt -r ref0.txt -m errant",
        f"score {SYSTEMS} -s src.txt -r ref0.txt -m errant --by-type",
        f"score {SYSTEMS} -r gold.m2 -m m2 --by-type",
        f"score {SYSTEMS} -s src.txt -r ref0.txt -m m2",
        "score mine.md -s orig.md -r first.md -r second.md -m gleu",
        f"score {SYSTEMS} broken.txt -r gold.m2 -m accuracy",
        "score pairs.jsonl -m m2 -o scored.jsonl",
    ],
    "compare": [
        f"compare {SYSTEMS} -r gold.m2 -m gleu",
        f"compare {SYSTEMS} -r gold.m2 -m m2 --all-pairs",
        f"compare {SYSTEMS} -r gold.m2 -m gleu --deciding 1",
        f"compare {SYSTEMS} -s src.txt -r ref0.txt -m m2",
        f"compare {SYSTEMS} -s src.txt -r ref0.txt -m errant",
        f"compare {SYSTEMS} -s src.txt -r ref0.txt -m errant --by-type",
        f"compare {SYSTEMS} -r gold.m2 --fail-if-worse 'gleu: 0.1'",
        f"compare {SYSTEMS} broken.txt -r gold.m2 -m accuracy",
    ],
    "report": [
        f"report {SYSTEMS} -r gold.m2 -m m2 -o out.html --resamples 20",
        f"report {SYSTEMS} -s src.txt -r ref0.txt -m m2 -m gleu -o out.html --resamples 20",
        f"report {SYSTEMS} -s src.txt -r ref0.txt -m errant -o out.html --resamples 20",
        f"report {SYSTEMS} -r gold.m2 -o out.json --resamples 20",
        f"report {SYSTEMS} broken.txt -r gold.m2 -m accuracy -o out.json --resamples 20",
    ],
    "power": [
        f"power {SYSTEMS} -r gold.m2 -m gleu",
        f"power {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt -m gleu --difference 0.1 --sentences 9 --annotators 1",
        f"power {SYSTEMS} -s src.txt -r ref0.txt -m m2",
        f"power {SYSTEMS} -s src.txt -r ref0.txt -m errant",
    ],
    "track add": [
        f"track add new.history {SYSTEMS} -r gold.m2 -m gleu --commit c1 --time 2026-01-01",
        f"track add new.history {SYSTEMS} -s src.txt -r ref0.txt -m m2 --commit c1 --time 2026-01-01",
        f"track add new.history {SYSTEMS} -s src.txt -r ref0.txt -m errant --commit c1 --time 2026-01-01",
    ],
    "track show": ["track show kept.history"],
    "explain": [
        "explain wild.txt -r gold.m2 -m gleu",
        "explain wild.txt -s src.txt -r ref0.txt -m m2 --exact 2 --orders 9",
        "explain wild.txt -s src.txt -r ref0.txt -m gleu --sentence 2",
        "explain broken.txt -r gold.m2 -m gleu",
    ],
    "explain difference": [
        "explain difference mine.json theirs.json",
        "explain difference mine.json theirs.json good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt",
        "explain difference mine.json theirs.json good.txt -s src.txt -r ref0.txt",
        "explain difference mine.json theirs.json good.txt -r ref0.txt",
    ],
    "files filter": [
        "files filter pairs.jsonl --where 'gleu > 0.2 or m2 > 0.1' -o kept.jsonl",
        "files filter pairs.jsonl --where 'accuracy > 0' -o kept.jsonl",
    ],
    "files merge": ["files merge part-2.stats part-1.stats", "files merge alone.stats", "files merge own.stats"],
    "explain verify": ["explain verify mine.passport"],
    "doctor agreement": [
        "doctor agreement gold.m2 --resamples 20",
        "doctor agreement src.txt ref0.txt ref1.txt --resamples 20",
        "doctor agreement gaps.m2 --resamples 20 --far 0.9",
    ],
    "doctor": [
        "doctor odd.m2 good.txt",
        "doctor src.txt ref0.txt ref1.txt --systems copy.txt",
    ],
    "annotate": ["annotate src.txt ref0.txt -o out.m2", "annotate ukrainian.txt ukrainian.txt -o out.m2"],
    "convert": [
        "convert gold.m2 -o out --missing-annotator agreed",
        "convert odd.m2 -o out --missing-annotator agreed",
    ],
    "maege": [MAEGE, f"{MAEGE} --replicates 2 --by-type", "maege gaps.m2 -r thorough.txt -m m2"],
    "human": [
        f"{HUMAN} --resamples 20",
        f"{HUMAN} --resamples 20 {OUTPUTS} -m m2",
        f"{HUMAN} --resamples 20 {TEXTS} -m m2",
        f"{HUMAN} --resamples 20 {TOO_FEW} -m m2",
        "human judged.jsonl --ranking trueskill --runs 2",
        f"{HUMAN} again.jsonl --resamples 20",
        f"{HUMAN} again.jsonl {OUTPUTS} -m m2 -m gleu",
    ],
    "coverage": [
        "coverage crowd.tsv --references 3",
        "coverage rejected.tsv --references 3",
        "coverage crowd.tsv -m gleu --references 3 --sentences 20 --correct 2",
        "coverage -s src.txt -r ref0.txt -r ref1.txt",
        f"coverage {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt -m gleu",
        f"coverage {SYSTEMS} -r gold.m2 -m accuracy --missing-annotator agreed",
        f"coverage {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt -m m2",
    ],
    "coverage buy-references": [
        "coverage buy-references good.txt wild.txt -r gold.m2",
        "coverage buy-references good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt -m accuracy",
        "coverage buy-references good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt",
        "coverage buy-references ukrainian.txt -s ukrainian.txt -r ukrainian.txt -r ukrainian.txt -m errant",
    ],
    "coverage true-precision": [
        "coverage true-precision good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt --resamples 20",
        "coverage true-precision good.txt wild.txt -r gold.m2 --missing-annotator agreed --resamples 20",
        "coverage true-precision ukrainian.txt -s ukrainian.txt -r ukrainian.txt -r ukrainian.txt",
    ],
    "coverage undercorrection": [
        f"coverage undercorrection {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt",
        f"coverage undercorrection {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt --rerank max-sari",
        f"coverage undercorrection {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt --rerank m2",
        f"coverage undercorrection {SYSTEMS} -r gold.m2 --annotator 1 --missing-annotator agreed",
    ],
    "validate": [],
    "metrics cost": [f"metrics cost {SYSTEMS} -s src.txt -m {JUDGE}", f"metrics cost {SYSTEMS} -s gold.m2 -m {JUDGE}"],
    "attack": [
        f"attack gleu {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt",
        "attack m2,ld -r gold.m2",
        "attack m2 -s src.txt -r ref0.txt",
        f"attack errant {SYSTEMS} -s src.txt -r ref0.txt",
    ],
    "reproduce": ["reproduce"],
    "data list": ["data list"],
    "data where": [],
    "data fetch": [],
    "lfm train": [],
    "serve": [],
    "board serve": [],
    "board worker": [],
    "board submit": [],
    "board invite": [],
    "board create": [],
    "board export": [],
    "board import": [],
    "board snapshot": [],
    "board password": [],
    "files cache": [],
    "metrics": ["metrics"],
    "demo": ["demo"],
}


def without_every_other_line(gold: str, *, annotator: int) -> str:
    """An M2 file in which an annotator has no line for every other sentence."""
    blocks = gold.strip("\n").split("\n\n")
    for i, block in enumerate(blocks):
        if i % 2:
            blocks[i] = "\n".join(line for line in block.split("\n") if not line.endswith(f"|||{annotator}"))
    return "\n\n".join(blocks) + "\n\n"


def parsed(text: str) -> str:
    """A sentence in CoNLL-U, of nouns."""
    return "".join(f"{k}\t{word}\t{word}\tNOUN\t_\t_\t0\t_\t_\t_\n" for k, word in enumerate(text.split(), start=1))


def write_small_files(folder: Path) -> None:
    """What all ways need, next to the small corpus of the fixture ``folder``."""
    for name, content in _small_files().items():
        (folder / name).write_bytes(content)


@cache
def _small_files() -> dict[str, bytes]:
    """The files by name. They are made once: some hold scores."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        for name, lines in FILES.items():
            (folder / name).write_text("".join(f"{line}\n" for line in lines))
        _write_small_files(folder)
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in FILES}


def _write_small_files(folder: Path) -> None:
    (folder / "documents.txt").write_text("a\na\nb\nb\n")
    (folder / "judged.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in JUDGMENTS))
    (folder / "crowd.tsv").write_text("".join(f"{line}\n" for line in CROWD))
    rejected = ["source\tcorrection\tstatus", *(f"{line}\tok" for line in CROWD[1:]), f"{CROWD[1]}s\tRejected"]
    (folder / "rejected.tsv").write_text("".join(f"{line}\n" for line in rejected))
    answers = ["source\tcorrection\tanswer", *(f"{line}\tyes" for line in CROWD[1:4]), f"{CROWD[7]}\tno"]
    (folder / "valid.tsv").write_text("".join(f"{line}\n" for line in answers))
    gold = (files("gecval") / "sample" / "learners.m2").read_text()
    (folder / "learners.m2").write_text(gold)
    (folder / "gaps.m2").write_text(without_every_other_line(gold, annotator=2))
    passport_of = Corpus.from_texts(["a b", "c d", "e f"], [["a c", "a d"], ["c d"], ["e"]])
    outputs = {"first": ["a c", "c", "e"], "second": ["a b", "c d", "e f"]}
    score(passport_of, outputs, ["accuracy", "ld"], confidence=Resampling(30)).save_passport(folder / "mine.passport")
    with_two = Corpus.from_texts(SMALL, [list(texts) for texts in zip(*REFERENCES, strict=True)])
    mine = score(with_two, {"good": REFERENCES[0], "wild": REFERENCES[1]}, ["gleu"])
    (folder / "mine.json").write_text(mine.to_json())
    with_one = Corpus.from_texts(SMALL, [[text] for text in REFERENCES[0]])
    theirs = score(with_one, {"good": REFERENCES[0], "wild": REFERENCES[1]}, ["gleu(n=3)"], aggregate="mean")
    (folder / "theirs.json").write_text(theirs.to_json())
    for number, part in enumerate(([0, 1], [2]), start=1):
        corpus = Corpus([passport_of.sources[i] for i in part], [passport_of.references[i] for i in part])
        texts = {name: [listed[i] for i in part] for name, listed in outputs.items()}
        score(corpus, texts, ["accuracy", "ld"]).save_part(folder / f"part-{number}.stats", shard=(number, 2))
    score(passport_of, {"first": outputs["first"]}, ["ld"]).save_part(folder / "alone.stats")
    (folder / "mine_words.py").write_text("def words(source, hypothesis, references):\n    return len(hypothesis)\n")
    words = FunctionMetric(lambda source, hypothesis, references: len(hypothesis), "mine_words:words")
    score(passport_of, {"first": outputs["first"]}, [words]).save_part(folder / "own.stats")
    learners, timid, *_, thorough = load_sample()[0], *load_sample()[1]
    for day, system in enumerate((timid, timid, thorough), start=1):
        output, when = {"mine": system.hypotheses}, {"commit": f"c{day}", "time": f"2026-01-0{day}"}
        track(folder / "kept.history", learners, output, ["accuracy", "ld"], confidence=Resampling(30), **when)
    verdicts = [
        [[1, 2, "go", "went", True]],
        [[1, 2, "like", "likes", True]],
        [[1, 2, ".", "!", False]],
        [[3, 4, "cat", "dog", True]],
    ]
    wild = ["They went away .", "She likes apples .", "Fine !", "I has two dog ."]
    with (folder / "judged-edits.jsonl").open("w") as file:
        for i, (text, edits) in enumerate(zip(wild, verdicts, strict=True)):
            correction = {"text": text, "systems": ["wild", "other"], "edits": edits}
            file.write(json.dumps({"sentence": i, "source": SMALL[i], "corrections": [correction]}) + "\n")
    (folder / "again.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in JUDGMENTS[::-1]))
    (folder / "pairs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in PAIRS))
    (folder / "human.json").write_text(json.dumps(PEOPLE))
    for system in load_sample()[1]:
        (folder / f"{system.name}.txt").write_text("".join(f"{line}\n" for line in system.hypotheses))
    for name, essays in ESSAYS.items():
        (folder / f"{name}.md").write_text("".join(f"### essay_id = {key}\n{text}\n\n" for key, text in essays.items()))
    (folder / "ref2.txt").write_text("They went away .\nShe liked apples .\nFine !\nI have a cat .\n")
    (folder / "ukrainian.txt").write_text(
        "Вона любить яблука і груші .\nЯ не знаю , що це таке .\nДобре , дякую вам .\n" * 4
    )
    (folder / "odd.m2").write_text(ODD)
    texts = dict.fromkeys(line for path in sorted(folder.glob("*.txt")) for line in path.read_text("utf-8").split("\n"))
    (folder / "all.conllu").write_text("\n".join(map(parsed, filter(None, texts))), "utf-8")
    (folder / "words.txt").write_text("goes\nlikes\nhave\n")
    (folder / "broken.txt").write_text("He goes home . She likes apples .\nFine .\nI have two cats .\n")
    (folder / "other.txt").write_text("He go home .\nShe like an apple .\nFine ,\nI has two cat !\n")
