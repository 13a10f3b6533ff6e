"""Protocols of shared tasks: which metrics, and what stands for what a file lacks.

``multigec`` is MultiGEC-2025 (Masciolini et al. 2025): essays as one line of syntok's tokens, GLEU, and ERRANT's
alignment over tokens without tags. Its public code puts the token ``!`` in the place of a missing essay.

``estgec`` is the scorer of Estonian's EstGEC (TartuNLP): M² with its rule for edits within edits, up to 15 unchanged
words in an edit, and row 0 of version 3.2 of the M2 scorer.
"""

from __future__ import annotations

from dataclasses import dataclass

from gecval.errors import InputError
from gecval.formats.m2 import Missing


@dataclass(frozen=True, kw_only=True)
class Preset:
    metrics: tuple[str, ...]
    missing: Missing
    essays: bool = False


PRESETS = {
    "multigec": Preset(metrics=("gleu", 'errant(model="multigec")'), missing="placeholder", essays=True),
    "estgec": Preset(metrics=('m2(nested="estgec", max_unchanged=15, version="3.2")',), missing="absent"),
}


def preset_named(name: str) -> Preset:
    """The preset of this name.

    >>> preset_named("multigec").missing
    'placeholder'
    """
    if name not in PRESETS:
        raise InputError(f"there is no preset {name!r}; choose {' or '.join(PRESETS)}", parameter="preset")
    return PRESETS[name]
