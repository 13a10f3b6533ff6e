"""Arrows point down only: which rooms of the house may know of which."""

import ast
from pathlib import Path

import gecval

ROOT = Path(gecval.__file__).parent
# From the ground upwards; a room may import from its own floor's other rooms only where these do not import it.
FLOORS = (
    (
        "errors",
        "progress",
        "cores",
        "threads",
        "processes",
        "places",
        "backends",
        "language",
        "plugins",
        "spelling",
        "_native",
    ),
    ("result", "schemas"),
    ("edit", "clusters", "references", "nesting", "tokenization", "corpus", "encoding"),
    ("formats", "models"),
    ("edits", "sample"),
    ("metrics",),
    ("stats",),
    ("studies",),
    ("report",),
    ("board", "cli"),
    ("__init__", "__main__"),
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def imported(path: Path) -> set[str]:
    """The rooms that a module imports from."""
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "gecval":
            rooms |= {alias.name if alias.name in FLOOR else "__init__" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gecval."):
            rooms.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            named = node.args[0]
            if isinstance(named, ast.Constant) and str(named.value).startswith("gecval."):
                rooms.add(str(named.value).split(".")[1])
    return rooms


def test_no_arrow_points_up() -> None:
    arrows = set()
    for path in ROOT.rglob("*.py"):
        room = path.relative_to(ROOT).parts[0].removesuffix(".py")
        arrows |= {(room, other) for other in imported(path) - {room} if room != "__init__"}
    # The command line asks for the version; a result shows itself through the room that shows results.
    exceptions = {("cli", "__init__"), ("result", "report")}
    assert {arrow for arrow in arrows if FLOOR[arrow[0]] < FLOOR[arrow[1]]} == exceptions
    arrows -= exceptions
    assert {arrow for arrow in arrows if arrow[::-1] in arrows} == set()
    assert len(arrows) > 30
