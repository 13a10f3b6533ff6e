"""gecval demo: the main job on the sample corpus inside the package."""

from __future__ import annotations

import click

from gecval.cli.options import print_table
from gecval.corpus import Corpus, System
from gecval.metrics import metric
from gecval.report import Table, comparison_table, score_table
from gecval.sample import load_sample
from gecval.stats import Resampling
from gecval.studies import compare, score

OVERVIEW = ("m2", "gleu", "sari", "bleu", "accuracy", "ld")


@click.command("demo")
def command() -> None:
    """Score four systems with different habits on the sample corpus: timid, thorough, overeager, rewriter."""
    corpus, systems = load_sample()
    copy = corpus.system("(source)", corpus.sources)
    click.echo(
        f"{len(corpus)} invented learner sentences, {corpus.reference_count} annotators, "
        f"{len(systems)} systems made to differ.\n"
    )

    click.echo("1. Who is best? It depends: by BLEU the untouched source beats two systems, by LD all of them.")
    _print(score_table(score(corpus, [copy, *systems], [metric(name) for name in OVERVIEW])))

    click.echo("2. How sure is that? 95% intervals over 1000 resamples; the choice of annotator is redone in each.")
    _print(score_table(score(corpus, systems, [metric("m2")], resampling=Resampling())))

    click.echo("3. Is one better than another? Paired tests against the timid system.")
    _print(comparison_table(compare(corpus, systems[0], systems[1:], [metric("m2"), metric("gleu")])))

    click.echo("4. What do the references hide? M² of the same outputs with one, two and three annotators.")
    _print(_by_references(corpus, systems))
    click.echo(
        "The rewriter writes good English that no reference happens to contain, and pays for it; each annotator more\n"
        "gives some of it back. That is the low-coverage bias.\n\n"
        "Your turn:  gecval score OUTPUT... -r gold.m2 -m m2 --confidence      gecval metrics      gecval score --help"
    )


def _by_references(corpus: Corpus, systems: list[System]) -> Table:
    table = Table(["system", "1 annotator", "2 annotators", "3 annotators"])
    columns = []
    for count in (1, 2, 3):
        fewer = Corpus(corpus.sources, [references[:count] for references in corpus.references])
        columns.append([one.score for one in score(fewer, systems, [metric("m2")])])
    table.rows = [[system.name, *values] for system, *values in zip(systems, *columns, strict=True)]
    return table


def _print(table: Table) -> None:
    table.footnotes.clear()
    print_table(table, "text")
    click.echo()
