"""The examples of There's No Comparison (Napoles et al. 2016): the output of §1, and the three outputs of Table 3."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gecval.corpus import Corpus, System
from gecval.metrics import metric
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import HERE, Run
from gecval.stats.resampling import Array
from gecval.studies.reproduce.conll14 import evaluate, load_participants, load_twenty_references, load_two_references
from gecval.studies.reproduce.result import Figure, PaperTable

EXAMPLE, ITS_SYSTEM = "However , people now can contact with anyone", "AMU"  # §1: how its source begins
METRICS = {"GLEU": "gleu", "M2": "m2", "LT": "lt"}
SECTION_1 = {"GLEU": 0.43, "M2": 0.00, "LT": None}  # as printed
WORSE_THAN = {"GLEU": 75, "M2": 75}  # per cent of the outputs, as §1 says
OUTPUTS_OF = "Genectic testing is a personal decision"  # Table 3
# The systems that wrote the three outputs, with their ranks by GLEU and by the hybrid.
TABLE_3 = {
    "POST: Genectic … with the knowledge … possiblity": (1, 2),
    "CAMB: Genectic … the kowledge … possiblity": (2, 3),
    "PKU: Genetic … with the knowledge … possibility": (3, 1),
}
LAMBDA_WITH_LT = 0.04  # the paper's best λ of GLEU and LT


def make_examples(run: Run = HERE, *, skip: Collection[str] = ()) -> list[PaperTable]:
    """The output of §1 among those of all systems, and the three outputs of Table 3."""
    corpus = load_twenty_references()
    systems = [system for system in load_participants(corpus) if system.name != "INPUT"]
    wanted = {label: name for label, name in METRICS.items() if label not in skip}
    metrics, notes = evaluate(wanted, corpus, systems, run=run)
    of_sentences = {label: evaluations.sentence_scores() for label, evaluations in metrics.items()}
    place = [system.name for system in systems].index(ITS_SYSTEM)
    sentence = _find(corpus, EXAMPLE)
    rows = {}
    for label, published in SECTION_1.items():
        scores = of_sentences.get(label)
        if scores is None:
            rows[label] = {"score": Figure(published=published)}
            continue
        score = float(scores[place, sentence])
        rows[label] = {
            "score": Figure(published=published, ours=score),
            "lower, %": Figure(ours=100 * float((scores < score).mean())),
            "higher, %": Figure(published=WORSE_THAN.get(label), ours=100 * float((scores > score).mean())),
        }
    examples = PaperTable(
        title=f"§1: {ITS_SYSTEM}'s output for sentence {sentence + 1}, "
        "and how many of 12 systems' outputs score otherwise",
        columns=("score", "lower, %", "higher, %"),
        rows=rows,
        notes=(
            f"{corpus.sources[sentence]} → {systems[place].hypotheses[sentence]}",
            "the paper: worse than 75 % (§1); GLEU in the bottom half, M2 in the bottom quartile, LT in the top (§3)",
            *notes,
        ),
    )
    less = of_sentences.get("LT")
    return [examples] if "GLEU" in skip else [examples, _table_3(systems, less)]


def _find(corpus: Corpus, begins: str) -> int:
    """The sentence whose source begins so; where there is none, the last one."""
    return next((i for i, source in enumerate(corpus.sources) if source.startswith(begins)), len(corpus) - 1)


def _table_3(systems: Sequence[System], less: Array | None) -> PaperTable:
    """By NUCLE's two references: with all twenty, GLEU itself prefers the corrected output."""
    corpus = load_two_references()
    sentence = _find(corpus, OUTPUTS_OF)
    names = [system.name for system in systems]
    places = [names.index(label.partition(":")[0]) for label in TABLE_3]
    by_gleu = [
        float(Evaluation.of(metric("gleu"), corpus, systems[place]).sentence_scores()[sentence]) for place in places
    ]
    by_less = None if less is None else [float(less[place, sentence]) for place in places]
    hybrid = None
    if by_less is not None:
        hybrid = [LAMBDA_WITH_LT * r + (1 - LAMBDA_WITH_LT) * g for r, g in zip(by_gleu, by_less, strict=True)]

    def ranks(scores: Sequence[float] | None) -> Sequence[int | None]:
        return [None] * len(places) if scores is None else [1 + sum(o > s for o in scores) for s in scores]

    rows = {
        label: {
            "rank by GLEU": Figure(published=published[0], ours=gleu_rank),
            "rank by the hybrid": Figure(published=published[1], ours=hybrid_rank),
            "GLEU": Figure(ours=gleu),
            "LT": Figure(ours=None if by_less is None else by_less[number]),
        }
        for number, ((label, published), gleu, gleu_rank, hybrid_rank) in enumerate(
            zip(TABLE_3.items(), by_gleu, ranks(by_gleu), ranks(hybrid), strict=True)
        )
    }
    return PaperTable(
        title=f"Table 3: three outputs for sentence {sentence + 1}",
        columns=("rank by GLEU", "rank by the hybrid", "GLEU", "LT"),
        rows=rows,
        notes=(
            "GLEU with NUCLE's two references, as the paper's text says: with all 20, GLEU puts PKU first by itself",
            f"the hybrid is that of GLEU and LT (λ = {LAMBDA_WITH_LT}); the paper's is that of GLEU and e-rater",
        ),
        row_name="output",
    )
