"""Imports point down only: which package may import from which, and which study from which."""

import ast
from collections.abc import Iterator
from pathlib import Path

import gecval

ROOT = Path(gecval.__file__).parent
# From the bottom upwards. A package may import from those before it, and from the others of its own line where these do
# not import it.
LAYERS = (
    ("errors", "_native"),
    ("runtime",),
    ("corpus",),
    ("formats", "models"),
    ("edits", "sample"),
    ("metrics",),
    ("stats",),
    ("results",),
    ("studies",),
    ("board", "cli"),
    ("__init__", "__main__"),
)
LAYER = {package: number for number, packages in enumerate(LAYERS) for package in packages}
# Every study may build on these. Composers gather what other studies give.
BASE = {"scores", "compare"}
COMPOSERS = {"report", "validate", "reproduce"}


def imported(path: Path) -> Iterator[str]:
    """The modules of gecval that a module imports, as ``metrics.base``; ``__init__`` for a public name."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "gecval":
            yield from (alias.name if alias.name in LAYER else "__init__" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gecval."):
            yield (node.module or "").removeprefix("gecval.")
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            named = node.args[0]
            if isinstance(named, ast.Constant) and str(named.value).startswith("gecval."):
                yield str(named.value).removeprefix("gecval.")


def modules() -> Iterator[tuple[str, set[str]]]:
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if name != "__init__":
            yield name, set(imported(path))


def test_no_import_points_up() -> None:
    arrows = set()
    for name, others in modules():
        package = name.partition(".")[0]
        if name.startswith("studies.") and name.endswith(".command"):
            continue  # a command of a study uses the options and the output of the command line
        arrows |= {(package, other.partition(".")[0]) for other in others} - {(package, package)}
    # The command line asks for the version. A schema is looked for in all studies.
    exceptions = {("cli", "__init__"), ("results", "studies")}
    assert {arrow for arrow in arrows if LAYER[arrow[0]] < LAYER[arrow[1]]} == exceptions
    arrows -= exceptions
    assert {arrow for arrow in arrows if arrow[::-1] in arrows} == set()
    assert len(arrows) > 30


def test_studies_do_not_know_each_other() -> None:
    wrong = set()
    for name, others in modules():
        parts = name.split(".")
        if parts[0] == "studies" and len(parts) > 2 and parts[1] not in COMPOSERS and parts[-1] != "command":
            known = {other.split(".")[1] for other in others if other.startswith("studies.")}
            allowed = {parts[1], *BASE}
            wrong |= {(name, other) for other in known - allowed}
    assert wrong == set()


def test_only_the_program_and_commands_use_the_command_line() -> None:
    users = {name for name, others in modules() if any(other.startswith("cli.") for other in others)}
    assert {name for name in users if name.rpartition(".")[2] != "command"} == {
        name for name in users if name.partition(".")[0] in ("cli", "__main__")
    }
