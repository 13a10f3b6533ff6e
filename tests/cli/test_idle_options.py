"""Options that change nothing in the way a verb is called: each is refused, by name, with the reason.

``test_every_option.py`` tries all options in all ways and asks for a refusal; here is what each refusal says.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ways import write_small_files

SCORE = "score good.txt -r gold.m2 -m m2"
PAIRS = "score pairs.jsonl -m gleu -o out.jsonl"
COMPARE = "compare copy.txt good.txt -r gold.m2"
RULE = f"{COMPARE} --fail-if-worse 'gleu: 0.1'"
COVERAGE = "coverage -s src.txt -r ref0.txt -r ref1.txt"
COVERED = "coverage good.txt -s src.txt -r ref0.txt -r ref1.txt -m gleu"
HUMAN = "human judged.jsonl"
JUDGED = f"{HUMAN} --systems good.txt --systems copy.txt --systems wild.txt -s src.txt -r ref0.txt -m gleu"
MAEGE = "maege gaps.m2 -r learners.m2 -m gleu"
CHANGED = "undercorrection good.txt -s src.txt -r ref0.txt"
EDITS = "--edits changes nothing with these metrics: they need no edits, or find them in their own way"
BROUGHT = "--edits changes nothing with references that bring their edits"
NO_M2 = "--missing-annotator changes nothing without references in M2"
WORKERS = "--jobs changes nothing with --backend, which has its own workers"
NO_INTERVALS = "without --confidence or --clusters"

REFUSALS = {
    # score
    f"{SCORE} --compact": f"--compact changes nothing {NO_INTERVALS}",
    f"{SCORE} --resamples 9 --seed 2": f"--resamples and --seed change nothing {NO_INTERVALS}",
    f"{SCORE} --save x --totals --level 0.9 --interval-method bca": "--level and --interval-method change nothing "
    f"{NO_INTERVALS}",
    f"{SCORE} --unit document --documents documents.txt": f"--unit and --documents change nothing {NO_INTERVALS}",
    f"{SCORE} --confidence --documents documents.txt": "--documents changes nothing without --unit document",
    f"{SCORE} --clusters --confidence": "--confidence changes nothing with --clusters, which gives intervals too",
    f"{SCORE} --shard 1/2 --totals": "--shard and --totals change nothing without --save",
    f"{SCORE} --parts --format tsv": "--parts changes nothing with --format tsv, which has all parts",
    "score good.txt -r gold.m2 -m ld --parts": "--parts changes nothing: ld has no parts",
    f"{SCORE} --edits plain": BROUGHT,
    "score good.txt -r gold.m2 -m gleu --edits plain": EDITS,
    "score good.txt -r gold.m2 -m gleu --lang en": "--lang changes nothing here: these metrics judge any language",
    "score good.txt -s src.txt -r ref0.txt -m gleu --missing-annotator agreed": NO_M2,
    f"{SCORE} --detail full": "--detail changes nothing without --by-type",
    f"{SCORE} --by-type --sentences --aggregate mean --clusters --passport x --save y": "--aggregate, --clusters, "
    "--sentences, --passport and --save change nothing with --by-type",
    f"{SCORE} --by-type --confidence": "--confidence changes nothing with --by-type and -m m2",
    f"{SCORE} -m gleu --by-type": "--by-type goes with -m errant, -m m2 or -m lt, and no other metric",
    "score good.txt -s src.txt -m lt --by-type --detail full --confidence --edits plain --parts --percent --digits 2": (
        "--edits, --confidence, --detail, --parts, --percent and --digits change nothing with --by-type, but for "
        "-m errant"
    ),
    f"{SCORE} --sentences --format jsonl --confidence --clusters --aggregate mean --passport x --save y": (
        "--aggregate, --confidence, --clusters, --passport and --save change nothing with --sentences in JSONL"
    ),
    f"{SCORE} --sentences --clusters --aggregate mean --parts --compact": "--aggregate, --clusters, --parts and "
    "--compact change nothing with --sentences, but in JSON",
    f"{SCORE} --parses all.conllu --words words.txt": "--parses and --words change nothing here: no metric finds edits "
    "by parses",
    # files of pairs
    f"{SCORE} --column references=x --statistics --bad-rows note": "--column, --statistics and --bad-rows change "
    "nothing without a file of pairs: one .parquet, .jsonl or .tsv file, and no -s and -r",
    f"{PAIRS} --confidence --percent --tokenize char": "--tokenize, --confidence and --percent change nothing with a "
    "file of pairs, which has a score for each row",
    f"{PAIRS} --statistics": "--statistics changes nothing with these metrics: they have no parts",
    f"{PAIRS} --edits plain": EDITS,
    f"{PAIRS} --lang en": "--lang changes nothing here: these metrics judge any language",
    "filter pairs.jsonl --where 'other == \"b\"' -o kept.jsonl --edits plain --lang en --statistics": (
        "--edits, --lang and --statistics change nothing where nothing is computed: the condition names columns only"
    ),
    "filter pairs.jsonl --where 'm2.tp > 1' -o kept.jsonl --statistics": "--statistics changes nothing with a "
    "condition that names statistics, so that all are there",
    # compare
    f"{COMPARE} -m m2 --by-type --aggregate mean --all-pairs --deciding 1": "--aggregate, --all-pairs and --deciding "
    "change nothing with --by-type",
    f"{COMPARE} -m m2 --detail full": "--detail changes nothing without --by-type",
    f"{COMPARE} -m m2 --all-pairs --deciding 1": "--deciding changes nothing with --all-pairs: it looks at systems "
    "against one baseline",
    f"{COMPARE} -m m2 --until significance": "--until changes nothing without --deciding",
    f"{COMPARE} -m m2 --looks looks.json": "--looks changes nothing without --fail-if-worse",
    f"{COMPARE} -m gleu --edits plain": EDITS,
    COMPARE: "name a metric (option -m)",
    f"{RULE} -m m2 --level 0.9": "--metric and --level change nothing with --fail-if-worse: its rules name metrics and "
    "levels",
    f"{RULE} --all-pairs --correction holm": "--all-pairs and --correction change nothing with --fail-if-worse",
    f"{RULE} --deciding 2 --until significance": "--until changes nothing with --fail-if-worse",
    f"{RULE} --unit document --documents documents.txt": "--unit and --documents change nothing with --fail-if-worse: "
    "its intervals leave out sentences",
    # report
    "report good.txt -r gold.m2 -m m2 -o out.json --title Mine": "--title changes nothing in JSON",
    "report good.txt -r gold.m2 -m m2 -o out.html --deciding 2": "--deciding changes nothing with one system",
    "report good.txt copy.txt -s src.txt -r ref0.txt -m errant -o out.html --edits plain": "--edits changes nothing "
    "with these metrics: errant finds edits in its own way",
    "report good.txt -r gold.m2 -m m2 -o out.txt": "out.txt: a report is a page, .html, or its numbers, .json "
    "(option -o)",
    # what else scores
    "power copy.txt good.txt -r gold.m2 -m gleu --edits plain": EDITS,
    "track add new.history good.txt -r gold.m2 -m gleu --commit c --edits plain": EDITS,
    "attack gleu -r gold.m2 --edits plain": EDITS,
    "buy-references good.txt -r gold.m2 --edits plain": BROUGHT,
    "explain good.txt -r gold.m2 -m gleu --method add-one-in --exact 3 --orders 9 --seed 2": "--exact, --orders and "
    "--seed change nothing with --method add-one-in",
    "explain good.txt -r gold.m2 -m gleu --format tsv --top 2": "--top changes nothing with --format tsv, which has "
    "all edits",
    "explain good.txt -r gold.m2 -m gleu --format tsv --sentence 1 --top 2": "--top changes nothing with --sentence",
    "explain-difference mine.json theirs.json --jobs 1": "--jobs changes nothing without data",
    "merge alone.stats --baseline first": "--baseline changes nothing: there is one system",
    "merge alone.stats --correction holm": "--correction changes nothing: there is one system",
    # corpora
    "agreement gold.m2 --edits plain": BROUGHT,
    "agreement src.txt ref0.txt ref1.txt --missing-annotator agreed": NO_M2,
    "doctor src.txt ref0.txt --missing-annotator agreed": NO_M2,
    "annotate ukrainian.txt ukrainian.txt -o out.m2 --words words.txt": "--words changes nothing without --parses",
    "annotate ukrainian.txt ukrainian.txt -o out.m2 --parses all.conllu --edits plain": "--edits and --plain change "
    "nothing with --parses",
    "convert wild.txt -o out.txt --mend nfc --missing-annotator agreed --lenient": "--missing-annotator and --lenient "
    "change nothing for a text that is mended alone",
    # coverage
    f"{COVERAGE} --references 3 --unit index": "--unit and --references change nothing with -r",
    f"{COVERAGE} --confidence --edits plain --lang en --tokenize char --device cpu --batch-size 2": "--lang, "
    "--tokenize, --confidence, --edits, --device and --batch-size change nothing with -r but without -m",
    f"{COVERAGE} --resamples 9 --level 0.9 --checkpoint x --backend joblib": "--resamples, --level, --checkpoint and "
    "--backend change nothing without the outputs of systems",
    f"{COVERAGE} -m gleu": "-m sets systems beside people: give the systems' outputs",
    f"{COVERED} --edits plain": EDITS,
    f"{COVERED} --missing-annotator agreed": NO_M2,
    "coverage crowd.tsv --alpha 0.5 --confidence": "--alpha and --confidence change nothing without -r",
    "coverage crowd.tsv --sentences 9 --correct 2 --once --device cpu": "--sentences, --correct, --once and --device "
    "change nothing without -m",
    "coverage": "give a table of corrections, or your own references with -r",
    # human, maege, undercorrection
    f"{HUMAN} --edits plain --missing-annotator agreed": "--missing-annotator and --edits change nothing without -r",
    f"{HUMAN} --backend joblib --jobs 2": WORKERS,
    f"{HUMAN} --lang en --tokenize char --device cpu -s src.txt": "--lang, --tokenize and --device change nothing "
    "without -m",
    f"{HUMAN} --systems good.txt -m gleu": "outputs need the source that they correct (options -s and -r)",
    f"{JUDGED} --missing-annotator agreed": NO_M2,
    f"{JUDGED} --edits plain": EDITS,
    f"{MAEGE} --human human.json": "--human changes nothing without --plot human",
    f"{MAEGE} --plot human x.svg": "--plot human needs --human FILE: what `gecval human ... --format json` wrote",
    f"{MAEGE} --backend joblib --jobs 2": WORKERS,
    f"{MAEGE} --compact": "--compact changes nothing without --replicates 2 or more: there are no intervals",
    f"{MAEGE} --edits plain": EDITS,
    f"{CHANGED} --rerank gleu --annotator 0 --types plain": "--annotator and --types change nothing with --rerank",
    f"{CHANGED} --rerank gleu --edits plain": EDITS,
    f"{CHANGED} --repetitions 2 --seed 3 --edits plain --device cpu --batch-size 1": "--repetitions, --seed, --edits, "
    "--device and --batch-size change nothing without --rerank",
    f"{CHANGED} --lang en": "--lang changes nothing without --types or --rerank",
    # validate, reproduce
    "validate -m gleu --backend joblib --jobs 2": WORKERS,
    "validate -m gleu --systems good.txt --missing-annotator agreed --lang en --tokenize char": "--systems, "
    "--missing-annotator, --lang and --tokenize change nothing without -r",
    "validate -m gleu -s src.txt -r ref0.txt --missing-annotator agreed": NO_M2,
    "validate --agreement --sample --replicates 2 --seed 2 -s src.txt -r ref0.txt --systems good.txt --lang en": (
        "--source, --reference, --systems, --lang, --sample, --replicates and --seed change nothing with --agreement"
    ),
    "validate --agreement -o out.html": "out.html: the table of agreement is one file: .md, .json, .jsonl, .tsv, .csv, "
    ".tex or .txt",
    "validate": "a card is of a metric: name one (option -m)",
    "reproduce --device cpu --batch-size 2 --checkpoint x --backend joblib --quiet --percent --digits 2 --compact": (
        "--checkpoint, --backend, --device, --batch-size, --quiet, --percent, --digits and --compact change nothing "
        "without PAPER"
    ),
    "reproduce coverage --device cpu": "--device changes nothing for coverage, which asks no language model",
    "cache --limit 3MB": "--limit changes nothing without --prune",
}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    write_small_files(folder)
    return folder


@pytest.mark.parametrize("command", REFUSALS)
def test_what_changes_nothing_is_refused_with_the_reason(refused, folder: Path, template: Path, command: str) -> None:
    shutil.copytree(template, folder, dirs_exist_ok=True)
    assert refused(command) == REFUSALS[command]
