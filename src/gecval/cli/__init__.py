"""The command line: one module per verb; a verb only parses, calls and prints."""

from __future__ import annotations

import io
import sys
from importlib import import_module

import click

from gecval import __version__
from gecval.cli.errors import with_options
from gecval.errors import InputError

# What each verb does, as `gecval --help` lists it: the first sentence of the verb's own help.
GROUPS = {
    "Score systems": {
        "score": "Score system outputs.",
        "compare": "Test systems against a baseline.",
        "report": "Write one HTML page about system outputs that needs no network.",
        "explain": "Say what each edit adds to a score.",
        "explain-difference": "Say why two scores differ.",
        "metrics": "List every metric.",
        "demo": "Score four systems with different habits on the sample corpus.",
    },
    "Decide": {
        "power": "Say how likely compare is to find a difference, and how many sentences that takes.",
        "track": "Keep scores per commit in one file, and see where they changed.",
        "true-precision": "Correct precision, recall and F for valid edits that no reference has.",
        "buy-references": "List the sentences that one more annotator should correct.",
    },
    "Look after corpora": {
        "doctor": "Say what is in a corpus and what is odd, and the command that mends it.",
        "agreement": "Say how far annotators agree, and who is far from the others.",
        "annotate": "Find the edits between a source and corrected texts.",
        "convert": "Convert a corpus between M2, JSONL and plain text.",
        "data": "List and fetch the public data sets.",
    },
    "Trust a metric": {
        "maege": "Validate metrics on corrections of known order, without human rankings.",
        "human": "Rank systems by human judgments, and see which metric agrees with people.",
        "coverage": "Say how much of a system's quality the references hide.",
        "undercorrection": "Compare how much systems and references change.",
        "validate": "Make the card of a metric: all that can be measured about it.",
        "attack": "Say how many points METRIC gives to outputs that correct nothing.",
        "cost": "Count the prompts and tokens of llm-judge, and ask nothing.",
        "lfm": "Train a linguistic-feature model of grammaticality.",
        "reproduce": "Print the tables of a paper, published figures beside ours.",
    },
    "Large files, parts and records": {
        "filter": "Keep the rows of PAIRS that fulfil a condition, with their scores.",
        "merge": "Give the scores, intervals and tests of a corpus whose parts were scored apart.",
        "verify": "Compute the scores of a passport again, without the data.",
        "cache": "Say what is kept of what models said, or remove it.",
    },
    "Run a board": {
        "serve": "Run a board: benchmarks, submissions and leaderboards on the web, in one folder.",
        "worker": "Score the submissions that wait on a board, on this or any other machine.",
        "submit": "Submit a system's output to a board.",
        "board": "Look after a board: invite people, make benchmarks from files, copy everything out and back.",
    },
}
VERBS = {name: purpose for verbs in GROUPS.values() for name, purpose in verbs.items()}


class Verbs(click.Group):
    """Finds each verb in the module of its name, and imports it only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command = import_module(f"gecval.cli.{name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them: some take half a second."""
        for group, verbs in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl(list(verbs.items()), col_max=20)

    def invoke(self, ctx: click.Context) -> None:
        try:
            super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None  # click would print an empty line before it does the same
        except InputError as error:
            raise with_options(error, self.get_command(ctx, ctx.invoked_subcommand or "")) from error


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with `gecval demo`. Each command's --help has examples. Let your shell complete commands, options "
    'and metrics: put eval "$(_GECVAL_COMPLETE=bash_source gecval)" into ~/.bashrc; for zsh, zsh_source into ~/.zshrc.',
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", prog_name="gecval")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Score grammatical error correction, and see how far each score can be trusted."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line. Bad input ends with one line on stderr and exit status 2, an interrupt with 130."""
    try:
        sys.exit(cli.main(standalone_mode=False, prog_name="gecval"))
    except InputError as error:
        _fail(str(error), 2)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "gecval"
        _fail(f"{error.format_message()} (see {where} --help)", 2)
    except click.ClickException as error:
        _fail(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted; no output file was touched", 130)
    except MemoryError:
        _fail("not enough memory: split very long sentences, or lower --jobs", 2)
    except OSError as error:
        # Python would try, and complain, once more at exit to get rid of what a full disk did not take. (A reader such
        # as head that has left is no error: click sees to that.)
        sys.stdout = io.StringIO()
        _fail(f"{error.filename or 'the output'}: {error.strerror}", 2)


def _fail(message: str, status: int) -> None:
    click.echo(f"gecval: {' '.join(message.split())}", err=True)
    sys.exit(status)
