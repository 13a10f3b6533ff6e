"""Options that several verbs share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, Literal, get_args

import click

from gecval.cli.effects import add_note, note_idle, note_idle_missing
from gecval.cli.inputs import INPUT, note_corpus
from gecval.cli.languages import language_options
from gecval.cli.output import PATH, Verb, add_options
from gecval.cli.progress import quiet_option
from gecval.corpus import Corpus
from gecval.corpus.tokenization import TOKENIZATIONS
from gecval.errors import InputError
from gecval.formats import MISSING, Missing, load_corpus
from gecval.formats.essays import document_starts
from gecval.formats.files import read_sentences
from gecval.formats.loading import PRESETS, preset_named
from gecval.metrics import Metric, metric, metric_names
from gecval.metrics.evaluation import AGGREGATES
from gecval.models.device import AUTO, CPU_BATCH, GPU_BATCH, use_device
from gecval.runtime.plugins import split_spellings
from gecval.runtime.run import Run
from gecval.stats.ranking import CONTESTS
from gecval.stats.resampling import ANNOTATORS, METHODS, Resampling

_PRESET = "gecval.preset"


def corpus_options(verb: Verb) -> Verb:
    """-s and -r: the verb gets a ``corpus``."""

    @wraps(verb)
    def load(
        *args: Any,
        source: Path | None,
        references: tuple[Path, ...],
        missing: Missing,
        lenient: bool,
        language: str | None,
        tokenize: str | None,
        **others: Any,
    ) -> None:
        note_idle_missing(references)
        corpus = load_corpus(
            source,
            references,
            missing=missing,
            lenient=lenient,
            language=language,
            tokenize=tokenize,
            run=Run(jobs=others.get("jobs")),
        )
        note_corpus(references, len(corpus))
        for path, times in Counter(path.resolve() for path in references).items():
            if times > 1:
                add_note(f"{path.name} is given {times} times as references, and counts as often; give it once")
        preset = click.get_current_context().meta.get(_PRESET)
        if preset and preset_named(preset).essays and corpus.essays is None:
            raise InputError(f"the preset {preset} scores essays; give the source and all others as .md files")
        verb(*args, corpus=corpus, **others)

    return add_options(
        load,
        click.option(
            "-s",
            "--source",
            type=INPUT,
            help="Source sentences, one a line, or essays; .m2, .jsonl bring their own.",
        ),
        click.option(
            "-r",
            "--reference",
            "references",
            type=INPUT,
            multiple=True,
            help="References: .m2 (edits of all its annotators), .jsonl, texts, or others (docs/corpus.md). Repeat for "
            "more.",
        ),
        missing_annotator_option("absent"),
        lenient_option,
        language_option,
        tokenize_option,
    )


language_option = click.option(
    "--lang",
    "language",
    metavar="CODE",
    help="The language of the texts, e.g. en. Default: detected; English-only metrics refuse other languages.",
)


realign_option = click.option(
    "--realign",
    is_flag=True,
    help="Move the line breaks of outputs to where the source has them; a note says what was moved.",
)


tokenize_option = click.option(
    "--tokenize",
    type=click.Choice(TOKENIZATIONS),
    help="Tokenise outputs that are running text: auto chooses spacy, ptb (NLTK's rules) or, for Chinese, char. "
    "Default: blanks separate tokens.",
)


lenient_option = click.option(
    "--lenient", is_flag=True, help="Drop what a file of references has wrong, and say what and where."
)


def is_lenient() -> bool:
    """Whether --lenient was given to the verb that runs: outputs in M2 are read so too."""
    return bool(click.get_current_context().params.get("lenient"))


def _use_preset(ctx: click.Context, param: click.Parameter, name: str | None) -> None:
    """Let a preset say what is not typed."""
    if name is not None:
        preset = preset_named(name)
        ctx.meta[_PRESET] = name
        ctx.default_map = {**(ctx.default_map or {}), "metrics": list(preset.metrics), "missing": preset.missing}


preset_option = click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    callback=_use_preset,
    expose_value=False,
    is_eager=True,
    help="A shared task's protocol; options that you give override it. multigec is GLEU and ERRANT over essays, estgec "
    "M² with Estonian's rules.",
)


def missing_annotator_option(default: Missing) -> Callable[[Any], Any]:
    return click.option(
        "--missing-annotator",
        "missing",
        type=click.Choice([*MISSING, *(["ask"] if default == "ask" else ["placeholder"])]),
        default=default,
        show_default=True,
        help="What an .m2 annotator without a line did where others have one"
        + (", or ask where there is one." if default == "ask" else "; placeholder is ! for a missing essay."),
    )


def metric_option(default: str | None = None) -> Callable[[Any], Any]:
    """-m alone. Where ``default`` says which metrics the verb takes otherwise, it may be left out."""
    return click.option(
        "-m",
        "--metric",
        "metrics",
        metavar="METRIC",
        callback=distinct_metrics,
        shell_complete=complete_metrics,
        multiple=True,
        required=default is None,
        help="A metric, e.g. m2, 'gleu(n=3)' or my_module:my_function; several: -m m2,gleu or -m m2 -m gleu."
        + (f" Default: {default}." if default else ""),
    )


USUAL = "errant in English, m2 where the references are edits, gleu"


def scoring_options(default: str = USUAL, *, contests: bool = False) -> Callable[[Verb], Verb]:
    """-m, how to aggregate, parses, and how the work runs; with ``contests``, systems may meet each other."""
    help_text = "Score of the whole corpus, or mean of the sentence scores"
    return lambda verb: add_options(
        language_options(verb, usual=USUAL in default),
        metric_option(default),
        click.option(
            "--aggregate",
            type=click.Choice([*AGGREGATES, *(CONTESTS if contests else ())]),
            default="corpus",
            show_default=True,
            help=f"{help_text}; or systems meet on every sentence." if contests else f"{help_text}.",
        ),
        edits_option(None),
        run_options(),
    )


def run_options(
    *, jobs: str | None = "Threads", chunks: str | None = None, models: bool = True
) -> Callable[[Verb], Verb]:
    """How the work runs: the verb gets a ``run``.

    ``jobs`` says what is counted; None where the verb has no such option. With ``chunks`` (replicates, ...), these can
    be computed anywhere, and finished ones are stored: the verb gets a ``checkpoint`` as well. With ``models``, it may
    ask language models, which run on the chosen device.
    """
    return lambda verb: add_options(
        _gather_run(verb),
        *([jobs_option(jobs)] if jobs else []),
        *(_chunk_options(chunks) if chunks else []),
        *([_model_options] if models else []),
        quiet_option,
    )


def _gather_run(verb: Verb) -> Verb:
    @wraps(verb)
    def gather(*args: Any, jobs: int | None = None, backend: str | None = None, **others: Any) -> Any:
        if backend is not None:
            note_idle(["jobs"], "with --backend, which has its own workers")
            jobs = None
        return verb(*args, run=Run(jobs=jobs, backend=backend), **others)

    return gather


def jobs_option(what: str = "Threads") -> Callable[[Any], Any]:
    return click.option("--jobs", type=click.IntRange(1, 4096), help=f"{what}; default: all cores.")


def _chunk_options(chunks: str) -> list[Callable[[Any], Any]]:
    return [
        click.option("--checkpoint", type=PATH, help=f"Store finished {chunks} in this file, and go on from them."),
        click.option(
            "--backend",
            metavar="WHERE",
            help=f"Where {chunks} are computed: processes, processes:8, dask://host:port or ray://host:port; default: "
            "here.",
        ),
    ]


def _model_options(verb: Verb) -> Verb:
    """--device and --batch-size: language models run so while the verb does, unless a metric's parameters differ."""

    @wraps(verb)
    def choose(*args: Any, device: str, batch_size: int | None, **others: Any) -> Any:
        with use_device(device, batch_size=batch_size):
            return verb(*args, **others)

    return add_options(
        choose,
        click.option(
            "--device",
            default=AUTO,
            show_default=True,
            help="What language models run on: cpu, cuda, cuda:1, ...; auto is the GPU where there is one. Several "
            "devices share the texts: cuda:0,cuda:1.",
        ),
        click.option(
            "--batch-size",
            type=click.IntRange(1, 100_000),
            help=f"Texts a language model reads at a time; default: {CPU_BATCH}, on a GPU {GPU_BATCH} (long ones).",
        ),
    )


def edits_option(default: str | None) -> Callable[[Any], Any]:
    return click.option(
        "--edits",
        default=default,
        show_default=default is not None,
        help="What finds the edits in plain-text references where a metric needs them: errant, a spaCy model for "
        "errant, plain (any language), or an extractor of your own (module:Name). Default: errant where it is "
        "installed and the text is English, else plain.",
    )


def complete_metrics(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The metrics that a shell offers after -m, also after a comma."""
    before, comma, start = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in metric_names() if name.startswith(start.lower())]


def distinct_metrics(ctx: click.Context, param: click.Parameter, spellings: tuple[str, ...]) -> tuple[Metric, ...]:
    """The metrics that -m names, each once."""
    for listed in spellings:
        if "," in listed and "" in split_spellings(listed):
            raise InputError(f"-m {listed!r} has a comma too many; write several metrics without blanks: -m m2,gleu")
    metrics = [metric(spelling) for listed in spellings for spelling in split_spellings(listed)]
    for name, count in Counter(map(repr, metrics)).items():
        if count > 1:
            add_note(f"the metric {name} is named {'twice' if count == 2 else f'{count} times'}, and computed once")
    return tuple({repr(named): named for named in metrics}.values())


def resampling_options(*, method: bool = True) -> Callable[[Verb], Verb]:
    """How to resample: the verb gets a ``resampling``. Without ``method``, its intervals are percentiles."""
    method_option = click.option(
        "--interval-method",
        "method",
        type=click.Choice(METHODS),
        default="auto",
        show_default=True,
        help="How to get an interval; auto is studentised with 5 to 199 sentences or documents, else bca.",
    )
    methods = [method_option] if method else []
    return lambda verb: add_options(_gather_resampling(verb), resamples_option, level_option(), *methods, seed_option())


def _gather_resampling(verb: Verb) -> Verb:
    @wraps(verb)
    def gather(*args: Any, resamples: int, level: float, seed: int, method: str = "percentile", **others: Any) -> Any:
        return verb(*args, resampling=Resampling(resamples, level=level, method=method, seed=seed), **others)

    return gather


resamples_option = click.option("--resamples", type=int, default=1000, show_default=True, help="Bootstrap resamples.")


def level_option(of: str = "") -> Callable[[Any], Any]:
    return click.option("--level", type=float, default=0.95, show_default=True, help=f"Confidence level{of}.")


def seed_option(help_text: str = "Seed of the random numbers.") -> Callable[[Any], Any]:
    return click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help=help_text)


table_option = click.option(
    "--table",
    type=click.Choice(["paper"]),
    help="paper: P, R and score ± interval in percent, marks for significance, caption, sentence and BibTeX.",
)


# --unit and --documents: what resampling draws, sentences or whole documents.


Unit = Literal["sentence", "document", "annotator"]


def unit_options(*units: Unit) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The verb's ``resampling`` takes as its sample what --unit says, by default one of all ``units`` that there are.

    It stands below the options of corpus and resampling.
    """
    of_annotators = "; annotator: sentences and annotators, both samples" if not units or "annotator" in units else ""

    def decorate(verb: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(verb)
        def choose(
            *args: Any, unit: Unit, documents: Path | None, corpus: Corpus, resampling: Resampling, **others: Any
        ) -> Any:
            if unit == "document":
                if corpus.essays is not None:
                    note_idle(["unit", "documents"], "with essays: each is one line, and drawn as such")
                else:
                    ids = None if documents is None else read_sentences(documents)
                    resampling = replace(resampling, documents=document_starts(corpus.sources, ids))
            else:
                note_idle(["documents"], "without --unit document")
            if unit == "annotator":
                note_idle(["method", "resamples", "seed"], "with --unit annotator, which draws nothing")
                resampling = replace(resampling, method=ANNOTATORS)
            return verb(*args, corpus=corpus, resampling=resampling, **others)

        choose = click.option(
            "--documents",
            type=INPUT,
            help="With --unit document: the document of each sentence, one a line. Default: marks in the source.",
        )(choose)
        return click.option(
            "--unit",
            type=click.Choice(units or get_args(Unit)),
            default="sentence",
            show_default=True,
            help="What resampling draws: sentences, or whole documents (essays), whose sentences are not independent"
            f"{of_annotators}.",
        )(choose)

    return decorate
