"""Parts that are chosen by name: metrics, extractors, checkers. A name is looked for in three places, in this order.

1. Our own parts: ``gleu``, ``plain``.
2. Installed packages. They bring a part by an entry point of its group:

       [project.entry-points."gecval.extractors"]
       zh = "my_package:ChineseExtractor"

3. A module of the user's: ``my_module:Name``. It may lie in the current folder.

Names of the first two kinds are read in any case, and with ``_`` for ``-``.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from inspect import Parameter
from pathlib import Path
from typing import Any

from gecval.errors import InputError

_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


@dataclass(frozen=True)
class Plugins:
    """The parts of one kind. ``built_in`` maps the names of our own to ``module:Name``."""

    kind: str
    group: str
    built_in: Mapping[str, str]

    def names(self) -> list[str]:
        """All names, ours first."""
        return [*self.built_in, *sorted(self._installed().keys() - self.built_in.keys())]

    def canonical(self, name: str) -> str:
        """A name as it is registered: ``GLEU`` is ``gleu``."""
        return next((known for known in self.names() if _normal(known) == _normal(name)), name)

    def load(self, name: str) -> Any:
        """The class, function or object behind a name; None where nothing has this name."""
        # Ours first: to look at all installed packages takes time.
        place = _place(self.built_in, name) or _place(self._installed(), name) or name
        if ":" not in place:
            return None
        if place is name and "" not in sys.path:
            sys.path.append("")  # the current folder comes last: it hides no installed package
        module, _, attribute = place.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except Exception as error:  # somebody else's module may fail in any way
            raise InputError(f"cannot load the {self.kind} {place!r}: {type(error).__name__}: {error}") from error

    def make(self, name: str, needs: Iterable[str], parameters: Mapping[str, Any] | None = None) -> Any:
        """An object with these attributes: the one behind a name, or an instance of the class behind it."""
        loaded = self.load(name)
        if loaded is None:
            return None
        if parameters:
            self._check_parameters(loaded, name, parameters)
        try:
            part = loaded(**(parameters or {})) if isinstance(loaded, type) else loaded
        except InputError:
            raise
        except Exception as error:
            raise InputError(f"cannot make the {self.kind} {name!r}: {type(error).__name__}: {error}") from error
        if lacking := [attribute for attribute in needs if not _has(part, attribute)]:
            raise InputError(f"{name} is no {self.kind}: it has no {' and no '.join(lacking)}")
        return part

    def _check_parameters(self, loaded: Any, name: str, parameters: Iterable[str]) -> None:
        takes = _parameters(loaded) if isinstance(loaded, type) else []
        allowed = [parameter.name for parameter in takes if parameter.kind in _BY_NAME]
        if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in takes):
            return  # whoever takes any name says which ones it knows
        for parameter in parameters:
            if parameter not in allowed:
                has = f"it has {', '.join(allowed)}" if allowed else "it has none"
                raise InputError(f"the {self.kind} {name} has no parameter {parameter!r}; {has}")

    def unknown(self, name: str, *, others: str = "") -> InputError:
        """What to say of a name that nothing has: a name much like it, else all names and what else may be given."""
        close = get_close_matches(_normal(name), self.names(), n=1)
        hint = f"did you mean {close[0]}?" if close else f"there is {', '.join(self.names())}{others}"
        return InputError(f"there is no {self.kind} {name[:60]!r}; {hint}")

    def _installed(self) -> Mapping[str, str]:
        return _entry_points(self.group, tuple((folder, _last_change(folder)) for folder in sys.path))


@lru_cache(maxsize=32)
def _entry_points(group: str, folders: tuple[tuple[str, int | None], ...]) -> Mapping[str, str]:
    """Names and places of a group. They are read again only where a folder of packages has changed: it takes time."""
    return {entry.name: entry.value for entry in entry_points(group=group)}


def _last_change(folder: str) -> int | None:
    try:
        return Path(folder).stat().st_mtime_ns
    except OSError:
        return None


def _parameters(loaded: type) -> list[Parameter]:
    try:
        return list(inspect.signature(loaded).parameters.values())
    except (ValueError, TypeError):  # some classes of C modules do not say
        return []


def _place(places: Mapping[str, str], name: str) -> str | None:
    return next((place for known, place in places.items() if _normal(known) == _normal(name)), None)


def _normal(name: str) -> str:
    return name if ":" in name else name.lower().replace("_", "-")


def _has(part: object, attribute: str) -> bool:
    """Without asking for its value: a signature may need a package that is not installed."""
    return hasattr(type(part), attribute) or attribute in getattr(part, "__dict__", {})
