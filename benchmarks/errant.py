"""Text to score: errant_parallel and errant_compare for each output, against gecval for all of them at once.

CoNLL-2014, 1312 sentences, 13 outputs, two text references. Both sides start from text files in fresh processes and
end with tp, fp, fn and F0.5, which must be equal. Cold: gecval's cache is empty; warm: it is not.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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

source, *references = map(Path, sys.argv[1].split(":"))
errant = metric("gecval.metrics.errant:Errant")
corpus = load_corpus(source, references)
systems = load_systems([Path(path) for path in sys.argv[2:]], corpus)
corpus = annotate(corpus, errant.extractor, systems=systems, run=Run(jobs=os.cpu_count() or 1))
for scored in score(corpus, systems, [errant]):
    print(scored.system, scored.parts["tp"], scored.parts["fp"], scored.parts["fn"], round(scored.score, 4))
"""

Scores = dict[str, list[float]]


def main() -> None:
    if not SYSTEMS:
        sys.exit(f"no files in {DATA}/conll14/systems: `gecval data fetch conll14 references` gets them")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        theirs, baseline = run_errant(work)
        environment = os.environ | {"GECVAL_CACHE": str(work / "cache")}
        print(f"errant commands   {baseline:7.1f} s")
        for state in ("cold", "warm"):
            ours, seconds = run_gecval(environment)
            print(f"gecval, {state}      {seconds:7.1f} s   {baseline / seconds:6.1f}x")
            if ours != theirs:
                sys.exit(f"scores differ: {ours} against {theirs}")
    print(f"{len(theirs)} outputs, all scores equal")


def run_errant(work: Path) -> tuple[Scores, float]:
    """errant's commands as its manual shows them: annotate references and outputs, then compare each output."""
    # The commands load en_core_web_sm, by the name of an installed package or of a folder where they run.
    (work / "en_core_web_sm").symlink_to(_model_folder())
    scores: Scores = {}
    started = time.perf_counter()
    _errant(work, "parallel", "-orig", SOURCE, "-cor", *REFERENCES, "-out", "ref.m2")
    for system in SYSTEMS:
        _errant(work, "parallel", "-orig", SOURCE, "-cor", system, "-out", "hyp.m2")
        printed = _errant(work, "compare", "-hyp", "hyp.m2", "-ref", "ref.m2")
        tp, fp, fn, _, _, f = printed.split("F0.5\n")[1].split()[:6]
        scores[system.stem] = [float(value) for value in (tp, fp, fn, f)]
    return scores, time.perf_counter() - started


def run_gecval(environment: dict[str, str]) -> tuple[Scores, float]:
    texts = ":".join(map(str, [SOURCE, *REFERENCES]))
    started = time.perf_counter()
    printed = _output([sys.executable, "-c", OURS, texts, *SYSTEMS], env=environment)
    seconds = time.perf_counter() - started
    rows = (line.split() for line in printed.splitlines())
    return {name: [float(value) for value in values] for name, *values in rows}, seconds


def _errant(work: Path, command: str, *arguments: Path | str) -> str:
    return _output([Path(sys.executable).with_name(f"errant_{command}"), *arguments], cwd=work)


def _output(command: list[Path | str], **options: object) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout  # type: ignore[call-overload,no-any-return]


def _model_folder() -> Path:
    import spacy

    return Path(spacy.load(SpacyParser().package, exclude=["ner"]).path)


if __name__ == "__main__":
    main()
