"""What each format is read by, and what is then done with it: as a user would who never looked into the file."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from fuzz import seeds
from gecval import (
    Corpus,
    InputError,
    Scores,
    explain_difference,
    history,
    human,
    load_corpus,
    load_systems,
    maege,
    merge,
    metric,
    read_judgments,
    score,
    score_pairs,
    track,
    verify,
)
from gecval.formats import jsonl_lines, m2_lines
from gecval.formats.conllu import read_conllu
from gecval.formats.ratings import read_judged, read_judged_edits
from gecval.metrics.error_types import TypeWeights
from gecval.metrics.from_file import FromFile
from gecval.metrics.lfm.metric import read_weights
from gecval.models.checkers import CountsFile
from gecval.runtime.run import Run
from gecval.sample import load_sample
from gecval.stats import Resampling
from gecval.studies.compare.gate import Looks
from gecval.studies.coverage.crowd import crowd_coverage, load_crowd
from gecval.studies.human.ranking import Ranker
from gecval.studies.human.system_scores import HumanOptions
from gecval.studies.maege.command import read_human_correlations
from gecval.studies.maege.lattices import MaegeSettings
from gecval.studies.merge.command import parse_shard

METRICS = ["gleu", "sari", "m2", "imeasure"]
FEW = 20  # resamples: the fuzzer is after what breaks, not after narrow intervals


@dataclass(frozen=True, kw_only=True)
class Target:
    """A reader with all that follows from what it reads. ``call`` returns, or raises an InputError."""

    name: str
    suffix: str
    seed: bytes
    call: Callable[[Path], object]


def _corpus(path: Path) -> None:
    corpus = load_corpus(references=[path])
    metrics = METRICS if corpus.has_edits() else METRICS[:2]
    score(corpus, [corpus.system("source", list(corpus.sources))], metrics).to_json()
    list(jsonl_lines(corpus))
    if corpus.has_edits():
        list(m2_lines(corpus))


def _lenient(path: Path) -> None:
    """Strictly first, as a user does; then leniently, which may refuse what leniency does not fix."""
    try:
        _corpus(path)
    except InputError:
        corpus = load_corpus(references=[path], lenient=True)
        list(jsonl_lines(corpus))


def _essays(path: Path) -> None:
    corpus = load_corpus(path, [path], preset="multigec")
    score(corpus, load_systems([path], corpus), ["gleu", 'gleu(unit="char")']).to_json()


def _given_edits(path: Path) -> None:
    corpus = load_corpus(references=[path])
    score(corpus, load_systems([path], corpus), ["errant", "cleme"]).to_json()


def _texts(path: Path) -> None:
    sources = seeds.TEXTS.decode().splitlines()
    corpus = load_corpus(Corpus.from_texts(sources, [[source] for source in sources]), [path])
    score(corpus, load_systems([path], corpus), METRICS[:2]).to_json()


def _outputs(path: Path) -> None:
    corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    score(corpus, load_systems([path], corpus), METRICS[:2]).to_json()


def _sentence_scores(path: Path) -> None:
    corpus = Corpus.from_texts(["He go home .", "Fine ."])
    score(corpus, {"mine": ["He goes home .", "Fine ."]}, [FromFile(path=str(path))]).to_json()


def _judgments(path: Path) -> None:
    human(read_judgments(path), options=HumanOptions(ranker=Ranker(resamples=FEW, runs=2))).to_json()


def _crowd(path: Path) -> None:
    crowd_coverage(load_crowd([path]), most_references=3, confidence=Resampling(resamples=FEW)).to_json()


def _maege(path: Path) -> None:
    gold, _ = load_sample()
    settings = MaegeSettings(models=(0.0, 1.0, 2.0))
    maege(gold, gold, ["ld"], settings=settings, replicates=2, by_type=True, checkpoint=path, run=Run(jobs=1)).to_json()


def _spelling(path: Path) -> None:
    spelling = path.read_text(encoding="utf-8", errors="replace")
    if ":" not in spelling:  # module:Name is imported, by design
        repr(metric(spelling))


def _judged_edits(path: Path) -> None:
    read_judged_edits(path, ["He go home .", "Fine ."])


def _looks(path: Path) -> None:
    looks = Looks(path)
    corpus = Corpus.from_texts(["Fine ."], [["Fine ."]])
    system = corpus.system("x", ["Fine ."])
    looks.look("gleu: 0.005 @ 0.95", "gleu", system, system)
    looks.save()


def _result(path: Path) -> None:
    """Scores as JSON: their settings are read from their signatures."""
    explain_difference(path, str(_scores()[0].signature)).to_json()


def _passport(path: Path) -> None:
    verify(path).to_json()


def _part(path: Path) -> None:
    merge([path]).to_json()


def _history(path: Path) -> None:
    corpus, systems = load_sample()
    track(path, corpus, systems[:1], ["gleu"], commit="abc", time="2020-01-01T00:00:00Z")
    history(path).to_json()
    path.with_name(f"{path.name}.torn").unlink(missing_ok=True)  # where half a last line was moved to


def _shard(path: Path) -> None:
    parse_shard(click.Context(click.Command("score")), click.Option(["--shard"]), path.read_text("utf-8", "replace"))


def _counts(path: Path) -> None:
    CountsFile(str(path)).find("Fine .")


def _pairs(path: Path) -> None:
    score_pairs(path, ["gleu"], path.with_name(f"{path.name}.scored.tsv"), run=Run(jobs=1))
    path.with_name(f"{path.name}.scored.tsv").unlink()


@lru_cache
def _scores() -> Scores:
    corpus, systems = load_sample()
    return score(corpus, systems[:1], ["gleu", "m2"], confidence=Resampling(FEW))


@lru_cache
def _made(kind: str) -> bytes:
    """A file that gecval itself writes."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "made")
        corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
        resampling = None if kind == "part" else Resampling(FEW)  # merging gives the intervals of parts
        outputs = {"mine": ["He goes home .", "Fine !"]}
        scores = score(corpus, outputs, ["gleu", "m2"], edits="plain", confidence=resampling)
        match kind:
            case "result":
                path.write_text(_scores().to_json(), "utf-8")
            case "passport":
                scores.save_passport(path)
            case "part":
                scores.save_part(path, shard=(1, 1))
            case "history":
                sample, systems = load_sample()
                track(path, sample, systems[:1], ["gleu"], commit="one", time="2019-01-01T00:00:00Z")
            case _:
                engine = import_module("pyarrow.parquet")
                table = import_module("pyarrow").table({"source": ["He go ."], "hypothesis": ["He goes ."]})
                engine.write_table(table.append_column("reference", [["He goes ."]]), path)
        return path.read_bytes()


@lru_cache
def _checkpoint() -> bytes:
    """What MAEGE itself keeps of two replicates."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "checkpoint.jsonl"
        _maege(path)
        return path.read_bytes()


def targets() -> list[Target]:
    """All of them."""
    return [
        Target(name="m2", suffix=".m2", seed=seeds.M2, call=_corpus),
        Target(name="m2-gz", suffix=".m2.gz", seed=gzip.compress(seeds.M2, mtime=0), call=_corpus),
        Target(name="m2-lenient", suffix=".m2", seed=seeds.M2, call=_lenient),
        Target(name="m2-outputs", suffix=".m2", seed=seeds.M2.replace(b"|||1\n", b"|||0\n"), call=_given_edits),
        Target(name="cherrant-m2", suffix=".m2.char", seed=seeds.CHERRANT, call=_lenient),
        Target(name="para", suffix=".para", seed=seeds.PARA, call=_lenient),
        Target(name="pairs-tsv", suffix=".txt", seed=seeds.PAIRS, call=_lenient),
        Target(name="essays", suffix=".md", seed=seeds.ESSAYS, call=_essays),
        Target(name="wi-json", suffix=".json", seed=seeds.WI_JSON, call=_lenient),
        Target(name="nucle", suffix=".sgml", seed=seeds.NUCLE, call=_lenient),
        Target(name="texts", suffix=".txt", seed=seeds.TEXTS, call=_texts),
        Target(name="imeasure-xml", suffix=".xml", seed=seeds.IMEASURE, call=_corpus),
        Target(name="imeasure-xml-gz", suffix=".xml.gz", seed=gzip.compress(seeds.IMEASURE, mtime=0), call=_corpus),
        Target(name="corpus-jsonl", suffix=".jsonl", seed=seeds.CORPUS_JSONL, call=_corpus),
        Target(name="outputs-jsonl", suffix=".jsonl", seed=seeds.OUTPUTS_JSONL, call=_outputs),
        Target(name="chat-outputs", suffix=".jsonl", seed=seeds.CHAT_OUTPUTS, call=_outputs),
        Target(name="sentence-scores", suffix=".txt", seed=seeds.SENTENCE_SCORES, call=_sentence_scores),
        Target(name="judgments-xml", suffix=".xml", seed=seeds.JUDGMENTS_XML, call=_judgments),
        Target(name="judgments-csv", suffix=".csv", seed=seeds.JUDGMENTS_CSV, call=_judgments),
        Target(name="judgment-pairs-csv", suffix=".csv", seed=seeds.JUDGMENT_PAIRS_CSV, call=_judgments),
        Target(name="judgments-jsonl", suffix=".jsonl", seed=seeds.JUDGMENTS_JSONL, call=_judgments),
        Target(name="corrections", suffix=".tsv", seed=seeds.CORRECTIONS, call=_crowd),
        Target(name="histogram", suffix=".tsv", seed=seeds.HISTOGRAM, call=_crowd),
        Target(name="ratings", suffix=".tsv", seed=seeds.RATINGS, call=read_judged),
        Target(name="lfm-weights", suffix=".json", seed=seeds.WEIGHTS, call=lambda path: read_weights(str(path))),
        Target(name="human-json", suffix=".json", seed=seeds.HUMAN_JSON, call=read_human_correlations),
        Target(name="metric-spelling", suffix=".txt", seed=seeds.SPELLING, call=_spelling),
        Target(name="maege-checkpoint", suffix=".jsonl", seed=_checkpoint(), call=_maege),
        Target(name="judged-edits", suffix=".jsonl", seed=seeds.JUDGED_EDITS, call=_judged_edits),
        Target(name="looks", suffix=".json", seed=seeds.LOOKS, call=_looks),
        Target(name="result", suffix=".json", seed=_made("result"), call=_result),
        Target(name="passport", suffix=".jsonl", seed=_made("passport"), call=_passport),
        Target(name="part", suffix=".jsonl", seed=_made("part"), call=_part),
        Target(name="history", suffix=".jsonl", seed=_made("history"), call=_history),
        Target(name="conllu", suffix=".conllu", seed=seeds.CONLLU, call=read_conllu),
        Target(name="counts", suffix=".tsv", seed=seeds.COUNTS, call=_counts),
        Target(name="shard", suffix=".txt", seed=seeds.SHARD, call=_shard),
        Target(name="type-weights", suffix=".json", seed=seeds.WEIGHTED_TYPES, call=TypeWeights.read),
        Target(name="pairs-scored", suffix=".tsv", seed=_PAIRS, call=_pairs),
        *_with_extras(),
    ]


_PAIRS = b"source\thypothesis\treference\nHe go home .\tHe goes home .\tHe went home .\nFine .\tFine .\tFine .\n"


def _with_extras() -> list[Target]:
    """Formats that need an extra."""
    targets = []
    if find_spec("pyarrow"):
        targets.append(Target(name="parquet", suffix=".parquet", seed=_made("parquet"), call=_pairs))
    if find_spec("sqlalchemy"):
        from fuzz import boards

        archive, rows = boards.exported_zip(), boards.exported_rows()
        targets.append(Target(name="board-zip", suffix=".zip", seed=archive, call=boards.import_zip))
        targets.append(Target(name="board-rows", suffix=".txt", seed=rows, call=boards.import_rows))
        targets.append(Target(name="board-settings", suffix=".toml", seed=seeds.SETTINGS, call=boards.read_settings))
    return targets
