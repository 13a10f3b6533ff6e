"""Options that several verbs share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from gecval.cli.common import MODELS, Verb, chosen, uses
from gecval.cli.effects import add_note, note_idle, note_idle_missing
from gecval.cli.inputs import INPUT, InputPath, is_there, note_corpus
from gecval.cli.languages import language_options
from gecval.cli.output import PATH, add_options
from gecval.corpus import Corpus
from gecval.corpus.tokenization import TOKENIZATIONS
from gecval.errors import InputError, shorten
from gecval.formats import MISSING, Missing, load_corpus
from gecval.formats.essays import document_starts
from gecval.formats.files import read_sentences
from gecval.formats.loading import PRESETS, preset_named
from gecval.metrics import Metric, metric, metric_names
from gecval.metrics.evaluation import AGGREGATES
from gecval.models.device import use_device
from gecval.runtime.plugins import split_spellings
from gecval.runtime.run import Run
from gecval.stats.ranking import CONTESTS
from gecval.stats.resampling import ANNOTATORS, Resampling

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
            run=Run(jobs=chosen("jobs")),
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


def run_options(*, jobs: bool = True, chunks: str | None = None, models: bool = True) -> Callable[[Verb], Verb]:
    """How the work runs: the verb gets a ``run``.

    Without ``jobs``, it has no use for --jobs. With ``chunks`` (replicates, ...), these can be computed anywhere, and
    finished ones are stored: the verb gets a ``checkpoint`` as well. With ``models``, it may ask language models, which
    run on the chosen device, unless a metric's parameters differ.
    """
    names = ["quiet", *(["jobs"] if jobs else []), *(["backend"] if chunks else []), *(MODELS if models else [])]

    def add(verb: Verb) -> Verb:
        @uses(*names)
        @wraps(verb)
        def gather(*args: Any, **others: Any) -> Any:
            how = {name: chosen(name) for name in ("jobs", "backend") if name in names}
            if how.get("backend") is not None:
                note_idle(["jobs"], "with --backend, which has its own workers")
                how["jobs"] = None
            with use_device(chosen("device"), batch_size=chosen("batch_size")) if models else nullcontext():
                return verb(*args, run=Run(**how), **others)

        return checkpoint_option(chunks)(gather) if chunks else gather

    return add


def checkpoint_option(chunks: str) -> Callable[[Verb], Verb]:
    return click.option("--checkpoint", type=PATH, help=f"Store finished {chunks} in this file, and go on from them.")


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

    def add(verb: Verb) -> Verb:
        @uses("resamples", "level", "seed", *(["interval_method"] if method else []))
        @wraps(verb)
        def gather(*args: Any, **others: Any) -> Any:
            of_interval = chosen("interval_method") if method else "percentile"
            how = Resampling(chosen("resamples"), level=chosen("level"), method=of_interval, seed=chosen("seed"))
            return verb(*args, resampling=how, **others)

        return gather

    return add


def seed_option(verb: Verb) -> Verb:
    """--seed alone: the verb gets a ``seed``."""

    @uses("seed")
    @wraps(verb)
    def gather(*args: Any, **others: Any) -> Any:
        return verb(*args, seed=chosen("seed"), **others)

    return gather


table_option = click.option(
    "--table",
    type=click.Choice(["paper"]),
    help="paper: P, R and score ± interval in percent, marks for significance, caption, sentence and BibTeX.",
)


# --unit: what resampling draws, sentences or whole documents.


UNITS = ("sentence", "document", "annotator")


def unit_option(*units: str) -> Callable[[Verb], Verb]:
    """The verb's ``resampling`` takes as its sample what --unit says, by default one of all ``units`` that there are.

    It stands below the options of corpus and resampling.
    """
    words = units or UNITS
    of_annotators = "; annotator: sentences and annotators, both samples" if "annotator" in words else ""

    def decorate(verb: Verb) -> Verb:
        @click.option(
            "--unit",
            cls=_UnitOption,
            type=_Unit(words),
            metavar="|".join([*words, "FILE"]),
            default="sentence",
            show_default=True,
            help="What resampling draws: sentences, or whole documents (essays), whose sentences are not independent: "
            f"by marks in the source, or by a FILE with the document of each sentence{of_annotators}.",
        )
        @wraps(verb)
        def choose(*args: Any, unit: str | Path, corpus: Corpus, resampling: Resampling, **others: Any) -> Any:
            if unit == "annotator":
                note_idle(["interval_method", "resamples", "seed"], "with --unit annotator, which draws nothing")
                resampling = replace(resampling, method=ANNOTATORS)
            elif unit != "sentence" and corpus.essays is not None:
                note_idle(["unit"], "with essays: each is one line, and drawn as such")
            elif unit != "sentence":
                names = read_sentences(unit) if isinstance(unit, Path) else None
                resampling = replace(resampling, documents=document_starts(corpus.sources, names))
            return verb(*args, corpus=corpus, resampling=resampling, **others)

        return choose

    return decorate


class _UnitOption(click.Option):
    """--unit. Its FILE was the value of --documents before, which is understood and counts more than a word."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        parser.add_option(self, ["--documents"], dest="documents")

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        if (file := opts.get("documents")) is not None:
            add_note(f"--documents is part of --unit now: write --unit {file}")
            opts = {**opts, "unit": file}
        return super().handle_parse_result(ctx, opts, args)


class _Unit(InputPath):
    """One of some words, or a file."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(path_type=Path, readable=False)
        self.words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in self.words:
            return value
        path = super().convert(value, param, ctx)
        if not is_there(str(path)):
            raise InputError(f"--unit is {', '.join(self.words)} or a file, and there is no file {shorten(value)}")
        return path

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """The words; a shell completes files where it gets nothing else."""
        fitting = [word for word in self.words if word.startswith(incomplete)]
        return click.Choice(fitting).shell_complete(ctx, param, incomplete) or super().shell_complete(
            ctx, param, incomplete
        )
