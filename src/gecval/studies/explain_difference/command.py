"""gecval explain difference: why is my number not the paper's?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from gecval.cli.effects import note_idle
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT, holds_signature, is_signature, is_there
from gecval.cli.options import run_options
from gecval.cli.output import Output, output_options
from gecval.cli.progress_option import show_progress
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.formats.datasets.catalog import name_corpus
from gecval.runtime.run import Run
from gecval.studies.explain_difference.settings import (
    NUMBER,
    Claim,
    list_corpora,
    load_first_corpus,
)
from gecval.studies.explain_difference.study import explain_difference, recompute

EXAMPLES = """\b
Examples:
  gecval explain 'm2|beta:0.5|…|gecval:0.1.0' 0.3501 out/AMU -r official-2014.combined.m2   is the paper's number right?
  gecval explain difference 'gleu|n:4|…|gecval:0.1.0' 'gleu|n:3|…|gecval:0.1.0'
  gecval explain difference mine.json theirs.json
  gecval explain difference mine.json theirs.json out/AMU -r official-2014.0.m2 -r official-2014.combined.m2
"""


@click.command("explain-difference", cls=Command, epilog=EXAMPLES)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B|SYSTEM", required=False)
@click.argument("systems", type=click.Path(path_type=Path), nargs=-1, metavar="[SYSTEM]...")
@click.option("-s", "--source", type=INPUT, help="Source sentences, where the references are plain text.")
@click.option(
    "-r",
    "--reference",
    "references",
    type=INPUT,
    multiple=True,
    help="References of A and of B; repeat for more. Which of them belong to A and to B is found by their hashes.",
)
@run_options(models=False)
@output_options(intervals=False)
def command(
    a: str,
    b: str | None,
    systems: tuple[Path, ...],
    source: Path | None,
    references: tuple[Path, ...],
    run: Run,
    output: Output,
) -> None:
    """Say why two scores differ. A and B are signatures in quotes, or JSON files of `gecval score --format json`.

    With the data (-r, and the outputs of SYSTEMs), settings go from A's to B's one at a time, and all is scored
    after each. With one signature (in quotes, or a file that holds it), outputs and the data, its score is computed
    again. A number next to the signature is compared with it: then the exit status is 1 where the number or a setting
    differs.
    """
    if claimed := _read_claim([text for text in (a, b, *map(str, systems)) if text]):
        _recompute(*claimed, source, references, run=run, output=output)
        return
    if b is None:
        raise click.MissingParameter(param_hint="'B|SYSTEM'", param_type="argument", ctx=click.get_current_context())
    if not (references or source):
        if systems:
            raise InputError("to score systems step by step, give the data: -r, and -s for plain text")
        note_idle(["jobs"], "without data")
    corpora = list_corpora(source, references, run=run) if references or source else {}
    with show_progress(run, "scoring") as run:
        explained = explain_difference(
            a if is_signature(a) else Path(a),
            b if is_signature(b) else Path(b),
            corpora=corpora,
            systems=load_systems(systems, load_first_corpus(corpora)) if corpora and systems else (),
            run=run,
        )
    output.show(explained)


def _read_claim(given: Sequence[str]) -> tuple[Claim, list[str]] | None:
    """The only signature among the arguments with its number, and the outputs; None where there are two results."""
    signatures = [text for text in given if is_signature(text)]
    if len(signatures) > 1 or (signatures and any(text.endswith((".json", ".jsonl")) for text in given[:2])):
        return None
    if not signatures and (not holds_signature(given[0]) or any(map(holds_signature, given[1:2]))):
        return None
    [named] = signatures or given[:1]
    claim = Claim.parse(named) if signatures else Claim.read(Path(named))
    outputs = [text for text in given if text != named]
    numbers = [text for text in outputs if re.fullmatch(NUMBER, text) and not is_there(text)]
    if numbers and (claim.number not in (None, numbers[0]) or len(numbers) > 1):
        raise InputError(f"give one number, not {claim.number or numbers[1]} and {numbers[0]}")
    outputs = [text for text in outputs if text not in numbers]
    return replace(claim, number=numbers[0] if numbers else claim.number), outputs


def _recompute(
    claim: Claim,
    outputs: Sequence[str],
    source: Path | None,
    references: tuple[Path, ...],
    *,
    run: Run,
    output: Output,
) -> None:
    if not outputs:
        fields = claim.signature.fields
        known = name_corpus(fields["source"])
        data = f"the {known}" if known else f"a source with the hash {fields['source']}"
        raise InputError(
            f"this names {claim.signature.head} on {data}, by gecval {claim.signature.version}; to compute it, give "
            "the output and the data: gecval explain SIGNATURE NUMBER OUT -r GOLD"
        )
    if not (references or source):
        raise InputError("to compute the score of a signature, give the data", parameter=("references", "source"))
    corpora = list_corpora(source, references, run=run)
    with show_progress(run, "scoring") as run:
        scores, holds = recompute(claim, corpora, load_systems(outputs, load_first_corpus(corpora)), run=run)
    if claim.number is not None and output.style == "text" and output.path is None:
        click.echo("\n".join(note for note in scores.notes if note.startswith(("equal:", "not equal:"))))
        scores = replace(scores, notes=tuple(n for n in scores.notes if not n.startswith(("equal:", "not equal:"))))
    output.show(scores)
    if not holds:
        click.get_current_context().exit(1)
