"""For the tests and for the doctests in src: what needs a part that is not installed is skipped by name."""

from importlib.util import find_spec

pytest_plugins = ["extras"]
# The doctests of the board cannot even be looked for without its extra.
collect_ignore = [] if find_spec("fastapi") and find_spec("sqlalchemy") else ["src/gecval/board"]
