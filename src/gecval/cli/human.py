"""gecval human: which system do people like best, and which metric agrees with them?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

import click

from gecval.cli.options import edits_option, missing_annotator_option, model_options
from gecval.cli.output import PATH, emit, output_options, print_notes, print_tables
from gecval.cli.progress import progress_bar
from gecval.edits.annotate import extractor
from gecval.errors import InputError
from gecval.formats import Missing, load_corpus, load_systems
from gecval.formats.judgments import SKIPPED_JUDGES, Judgments, combine, place, read_judgments
from gecval.metrics import Metric, metric
from gecval.report.human.charts import ranking_chart, scatter_chart
from gecval.report.human.tables import human_json, human_tables
from gecval.report.plots import check_plot_path, save_plot
from gecval.stats.ranking import Opponents, Ties, Unit
from gecval.studies.human.options import Scope
from gecval.studies.human.ranking import METHODS, Ranker
from gecval.studies.human.run import HumanOptions, human
from gecval.studies.human.sentences import TIE_POLICIES
from gecval.studies.human.system_scores import AGGREGATIONS

EXAMPLES = """\b
Examples:
  gecval human judgments.xml                                      rankings alone
  gecval human judgments.xml --systems out/ -r gold.m2 -m m2 -m gleu
  gecval human a.xml b.xml --combined --without refmix1 --systems out/ -r gold.m2 -m 'interpolated(gleu, ld, 0.8)'
  gecval human judgments.xml --systems out/ -r gold.m2 --sweep gleu ld --plot scatter.svg

\b
Judgments are Appraise's .xml, .jsonl lines {"sentence": 1, "judge": "anna", "ranks": {"A": 1, "B": 2}}, or a .csv
with the columns sentence,judge,system,rank. Rank 1 is best; equal ranks are ties.
"""


def _metrics(ctx: click.Context, param: click.Parameter, spellings: Any) -> Any:
    """-m as metrics, --sweep as pairs of them."""
    return tuple(metric(one) if isinstance(one, str) else tuple(map(metric, one)) for one in spellings)


def _choice(name: str, kind: Any, help: str) -> Callable[[Any], Any]:
    options = get_args(kind) or kind
    return click.option(name, type=click.Choice(options), default=options[0], show_default=True, help=help)


@click.command("human", epilog=EXAMPLES)
@click.argument("judgments", type=PATH, nargs=-1, required=True, metavar="JUDGMENTS...")
@click.option("-s", "--source", type=PATH, help="Source sentences; .m2 and .jsonl references bring their own.")
@click.option("-r", "--reference", "references", type=PATH, multiple=True, help="References; repeat for more.")
@missing_annotator_option("absent")
@click.option("--systems", type=PATH, multiple=True, help="The judged outputs: files or folders; repeat for more.")
@click.option("-m", "--metric", "metrics", multiple=True, callback=_metrics, help="A metric; repeat for more.")
@click.option("--sweep", nargs=2, multiple=True, callback=_metrics, metavar="R G", help="Interpolate R and G.")
@_choice("--aggregate", AGGREGATIONS, "From sentences to a system's score.")
@_choice("--scope", Scope, "Score the judged sentences or all.")
@click.option("--without", multiple=True, metavar="SYSTEM", help="Leave a system out of correlations and accuracy.")
@_choice("--ties", TIE_POLICIES, "What a tie of the metric is worth against a strict human preference.")
@click.option("--window", type=int, default=0, help="Also correlate so many neighbours in the human ranking.")
@click.option("--combined", is_flag=True, help="Also take all sets of judgments as one.")
@click.option("--skip-judge", multiple=True, default=SKIPPED_JUDGES, show_default=True, help="Leave out a judge.")
@click.option("--ranking", "methods", type=click.Choice(METHODS), multiple=True, default=METHODS, show_default=True)
@_choice("--human-ties", Ties, "Ties of people in Expected Wins.")
@_choice("--opponents", Opponents, "Expected Wins over all opponents, or those beaten at least once.")
@_choice("--unit", Unit, "What the bootstrap of Expected Wins draws.")
@click.option("--runs", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Runs of TrueSkill.")
@click.option("--resamples", type=int, default=1000, show_default=True, help="Bootstrap resamples.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Confidence level of intervals and ranks.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the random numbers.")
@click.option("--plot", type=PATH, help="Save a chart: ranks, or with metrics their scores against people's.")
@click.option("--jobs", type=click.IntRange(1, 4096), help="Threads; default: all cores.")
@edits_option("errant")
@model_options
@output_options
def command(
    judgments: tuple[Path, ...],
    source: Path | None,
    references: tuple[Path, ...],
    missing: Missing,
    systems: tuple[Path, ...],
    metrics: tuple[Metric, ...],
    sweep: tuple[tuple[Metric, Metric], ...],
    skip_judge: tuple[str, ...],
    combined: bool,
    plot: Path | None,
    jobs: int | None,
    edits: str,
    style: str,
    output: Path | None,
    **settings: Any,
) -> None:
    """Rank systems by human JUDGMENTS; with outputs and metrics, say how well each metric agrees with people."""
    if plot:
        check_plot_path(plot)
    sets = _read(judgments, skip_judge)
    corpus = load_corpus(source, references, missing=missing) if source or references else None
    if corpus is None and (systems or metrics or sweep):
        raise InputError("outputs and metrics need the source: give it with -s, or references as .m2 with -r")
    outputs = load_systems(systems, corpus) if corpus else []
    if corpus:
        texts = {system.name: system.hypotheses for system in outputs}
        sets = [place(one, texts, len(corpus)) for one in sets]
    if combined and len(sets) > 1:
        sets.append(combine("combined", sets))
    options = _options(settings, sweep, resamples=settings["resamples"] if plot else 0)
    with progress_bar("ranking") as progress:
        study = human(
            sets, corpus, outputs, metrics, options=options, extractor=extractor(edits), jobs=jobs, progress=progress
        )
    if plot:
        save_plot(scatter_chart(study.correlations) if study.correlations else ranking_chart(study.rankings), plot)
    if style == "json":
        emit(human_json(study), output)
    else:
        print_tables(human_tables(study), style, output)
    print_notes([*study.notes, *(corpus.notes if corpus else ())])


def _read(paths: Sequence[Path], skip: Sequence[str]) -> list[Judgments]:
    """Each file as a set named after it, or after its whole path where two would have the same name."""
    stems = [path.stem for path in paths]
    sets = [
        read_judgments(path, name=str(path) if stems.count(path.stem) > 1 else path.stem, skip_judges=skip)
        for path in paths
    ]
    if len({one.name for one in sets}) < len(sets):
        raise InputError("the same file of judgments is given twice")
    return sets


def _options(settings: dict[str, Any], hybrids: tuple[tuple[Metric, Metric], ...], *, resamples: int) -> HumanOptions:
    ranker = Ranker(
        tuple(dict.fromkeys(settings["methods"])),
        settings["human_ties"],
        settings["opponents"],
        settings["unit"],
        settings["resamples"],
        settings["runs"],
        settings["level"],
        settings["seed"],
    )
    return HumanOptions(
        ranker,
        settings["aggregate"],
        settings["scope"],
        settings["without"],
        settings["ties"],
        settings["window"],
        resamples,
        hybrids,
    )
