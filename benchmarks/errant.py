"""Text to score: errant_parallel and errant_compare for each output, against gecval for all of them at once.

CoNLL-2014, 1312 sentences, 13 outputs, two text references. Both sides start from text files in fresh processes and
end with tp, fp, fn and F0.5, which must be equal. Cold: gecval's cache is empty; warm: it is not.
"""

import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Run, run
from gecval.formats.datasets import data_folder
from gecval.models.spacy_parser import SpacyParser

DATA = data_folder()
SOURCE = DATA / "conll14/source.txt"
REFERENCES = [DATA / "references/NUCLEA", DATA / "references/NUCLEB"]
SYSTEMS = sorted((DATA / "conll14/systems").glob("*"))

OURS = """
import os, sys
from pathlib import Path
from gecval import Run, load_corpus, load_systems, metric, score
from gecval.edits.annotate import annotate
from gecval.runtime import processes

source, *references = map(Path, sys.argv[1].split(":"))
processes.ours = True
errant = metric("gecval.metrics.errant:Errant")
corpus = load_corpus(source, references)
systems = load_systems([Path(path) for path in sys.argv[2:]], corpus)
corpus = annotate(corpus, errant.extractor, systems=systems, run=Run(jobs=os.cpu_count() or 1))
for scored in score(corpus, systems, [errant]):
    print(scored.system, scored.parts["tp"], scored.parts["fp"], scored.parts["fn"], round(scored.score, 4))
"""

Scores = dict[str, list[float]]


def measure() -> tuple[Run, Run, Run]:
    """errant's commands, gecval with an empty cache, and gecval again."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        theirs, *runs = run_errant(work), *(run_gecval(work / "cache") for _ in range(2))
    for scores, _ in runs:
        if scores != theirs[0]:
            raise RuntimeError(f"scores differ: {scores} against {theirs[0]}")
    return theirs[1], runs[0][1], runs[1][1]


def run_errant(work: Path) -> tuple[Scores, Run]:
    """errant's commands as its manual shows them: annotate references and outputs, then compare each output."""
    # The commands load en_core_web_sm, by the name of an installed package or of a folder where they run.
    (work / "en_core_web_sm").symlink_to(_model_folder())
    scores: Scores = {}
    parts = [_errant(work, "parallel", "-orig", SOURCE, "-cor", *REFERENCES, "-out", "ref.m2")]
    for system in SYSTEMS:
        parts.append(_errant(work, "parallel", "-orig", SOURCE, "-cor", system, "-out", "hyp.m2"))
        parts.append(_errant(work, "compare", "-hyp", "hyp.m2", "-ref", "ref.m2"))
        tp, fp, fn, _, _, f = parts[-1].output.split("F0.5\n")[1].split()[:6]
        scores[system.stem] = [float(value) for value in (tp, fp, fn, f)]
    wall, cpu = sum(part.wall for part in parts), sum(part.cpu for part in parts)
    return scores, Run(wall, cpu, max(part.peak_mb for part in parts), "")


def run_gecval(cache: Path) -> tuple[Scores, Run]:
    texts = ":".join(map(str, [SOURCE, *REFERENCES]))
    done = run([sys.executable, "-c", OURS, texts, *map(str, SYSTEMS)], environment={"GECVAL_CACHE": str(cache)})
    rows = (line.split() for line in done.output.splitlines())
    return {name: [float(value) for value in values] for name, *values in rows}, done


def _errant(work: Path, command: str, *arguments: Path | str) -> Run:
    program = Path(sys.executable).with_name(f"errant_{command}")
    return run(["env", "-C", str(work), str(program), *map(str, arguments)])


def _model_folder() -> Path:
    import spacy

    return Path(spacy.load(SpacyParser().package, exclude=["ner"]).path)
