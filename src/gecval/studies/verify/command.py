"""gecval explain verify: is a passport right?"""

from __future__ import annotations

from pathlib import Path

import click

from gecval.cli.help import Command
from gecval.cli.output import PATH, Output, output_options
from gecval.errors import InputError
from gecval.studies.verify.study import verify

EXAMPLES = """\b
Examples:
  gecval score out/ -r gold.m2 -m m2 --ci --passport scores.passport
  gecval explain verify scores.passport

\b
Exit status: 0 if the passport holds, 1 if its statistics give something else, 2 if it is no passport.
"""


@click.command("verify", cls=Command, epilog=EXAMPLES)
@click.argument("passport", type=PATH)
@output_options()
def command(passport: Path, output: Output) -> None:
    """Compute the scores, intervals and tests of a PASSPORT again, without the data, and compare byte for byte."""
    if not passport.is_file():
        raise InputError(f"{passport} is no file")
    verified = verify(passport)
    output.show(verified)
    click.get_current_context().exit(verified.exit_status)
