"""``python -m gecval``."""

from gecval.cli.program import main

main()
