"""gecval demo: the main job on the sample corpus inside the package."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import click

from gecval.cli.board import board_extra
from gecval.cli.effects import note_idle
from gecval.cli.help import Command
from gecval.cli.output import print_table
from gecval.corpus import Corpus, System
from gecval.formats import write_files
from gecval.results.result import Result
from gecval.results.table import Table
from gecval.sample import load_sample, sample_files
from gecval.stats import Resampling
from gecval.studies.compare.study import compare
from gecval.studies.report.page import page
from gecval.studies.report.study import overview
from gecval.studies.scores.study import score
from gecval.studies.validate.documents import html
from gecval.studies.validate.study import validate

WRITTEN = {
    "report.html": "the report; open it in a browser",
    "card-m2.html": "the card of M²",
    "learners.m2": "the sample corpus, with the outputs of the four systems",
}
OVERVIEW = ("m2", "gleu", "sari", "bleu", "accuracy", "ld")


@click.command("demo", cls=Command)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("gecval-demo"),
    show_default=True,
    help="The folder that gets the sample corpus, a report and a metric's card.",
)
@click.option("--board", is_flag=True, help="Start a board with the sample, as `gecval serve --demo` does.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8017,
    show_default=True,
    help="The port of the board; 0 is any free one.",
)
def command(output: Path, board: bool, port: int) -> None:
    """Score four systems with different habits on the sample corpus: timid, thorough, overeager, rewriter.

    The corpus, the outputs, a report and a metric's card are written to a folder, so that you can go on from there.
    With --board, a board with the sample, its systems and a few judgments runs in that folder instead.
    """
    if board:
        _serve(output, port)
        return
    note_idle(["port"], "without --board")
    corpus, systems = load_sample()
    copy = corpus.system("(source)", corpus.sources)
    click.echo(
        f"{len(corpus)} invented learner sentences, {corpus.reference_count} annotators, "
        f"{len(systems)} systems made to differ.\n"
    )

    click.echo("1. Who is best? It depends: by BLEU the untouched source beats two systems, by LD all of them.")
    _show(score(corpus, [copy, *systems], OVERVIEW))

    click.echo("2. How sure is that? 95% intervals over 1000 resamples; the choice of annotator is redone in each.")
    _show(score(corpus, systems, ["m2"], confidence=Resampling()))

    click.echo("3. Is one better than another? Paired tests against the timid system.")
    _show(compare(corpus, systems[0], systems[1:], ["m2", "gleu"]))

    click.echo("4. What do the references hide? M² of the same outputs with one, two and three annotators.")
    _print(_by_references(corpus, systems))
    click.echo(
        "The rewriter writes good English that no reference happens to contain, and pays for it; each annotator more\n"
        "gives some of it back. That is the low-coverage bias.\n"
    )
    click.echo("5. Look at it: every sentence with its edits, and all that can be measured about a metric.")
    _write(corpus, systems, output)
    folder = shlex.quote(str(output))
    click.echo(f"Your turn:  {_program()} score {folder}/*.txt -r {folder}/learners.m2 -m m2 --ci")


def _program() -> str:
    """What to type for this program, here: its path where the shell does not find it by its name."""
    if shutil.which("gecval"):
        return "gecval"
    started = Path(sys.argv[0])
    return f"{sys.executable} -m gecval" if started.suffix == ".py" else shlex.quote(str(started))


def _serve(folder: Path, port: int) -> None:
    with board_extra():
        from gecval.board.serve import serve
        from gecval.board.settings import Settings
    serve(Settings(data=folder / "board", port=port), click.echo, with_demo=True)


def _write(corpus: Corpus, systems: list[System], folder: Path) -> None:
    """The sample as files, the report and the card; what is written is named."""
    cards = validate(["m2"], sample=True)
    inputs = f"{' '.join(f'{system.name}.txt' for system in systems)} -r learners.m2"
    seen = overview(corpus, systems, ["m2", "gleu", "sari"], edits="plain", inputs=inputs)
    texts = {**sample_files(), "report.html": page(seen, title="The sample corpus"), "card-m2.html": html(cards)}
    write_files({folder / name: text.removesuffix("\n").split("\n") for name, text in texts.items()})
    for name, what in WRITTEN.items():
        click.echo(f"   {folder / name}: {what}")
    click.echo()


def _by_references(corpus: Corpus, systems: list[System]) -> Table:
    table = Table(["system", "1 annotator", "2 annotators", "3 annotators"])
    columns = []
    for count in (1, 2, 3):
        fewer = Corpus(corpus.sources, [references[:count] for references in corpus.references])
        columns.append([result.score for result in score(fewer, systems, ["m2"])])
    table.rows = [[system.name, *values] for system, *values in zip(systems, *columns, strict=True)]
    return table


def _show(result: Result) -> None:
    [table] = result.to_tables()
    _print(table)


def _print(table: Table) -> None:
    table.footnotes.clear()
    print_table(table)
    click.echo()
