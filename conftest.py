"""For the tests and for the doctests in src: what needs a part that is not installed is skipped by name."""

pytest_plugins = ["extras"]
