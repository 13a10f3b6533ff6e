"""Options that change nothing in the way a verb is called: each is refused, by name, with the reason.

``test_every_option.py`` tries all options in all ways and asks for a refusal; here is what each refusal says.
"""

from __future__ import annotations

from pathlib import Path

from ways import write_small_files


def test_what_changes_nothing_is_refused_with_the_reason(refused, folder: Path, matches_transcript) -> None:
    write_small_files(folder)
    matches_transcript("refusals/idle_options.txt", refused)
