"""``python -m gecval``."""

from gecval.cli import main

main()
