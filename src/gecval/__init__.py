"""gecval scores grammatical error correction and says how far each score can be trusted.

>>> references = [["He goes home .", "He went home ."]]
>>> scores = evaluate(["He go home ."], ["He went home ."], references, metrics=["accuracy"])
>>> scores[0].score
1.0
"""

from __future__ import annotations

from importlib import import_module

# The public names are listed in __init__.pyi, once for Python and type checkers. A name is imported when it is first
# used, so `import gecval` takes a millisecond. The program needs this: an interrupt that comes earlier than its handler
# gives a traceback.
with open(f"{__file__}i", encoding="utf-8") as _list:  # noqa: PTH123  (pathlib takes longer than all the rest)
    _HOMES = {line.split()[3]: line.split()[1] for line in _list if line.startswith("from ")}
__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name == "__version__":
        value: object = import_module("importlib.metadata").version("gecval")
    elif name in _HOMES:
        value = import_module("gecval.runtime.progress").with_progress(getattr(import_module(_HOMES[name]), name))
    else:
        raise AttributeError(f"module 'gecval' has no attribute {name!r}{_suggest(name)}")
    globals()[name] = value
    return value


def _suggest(name: str) -> str:
    """A public name that is much like one that there is not; those of other libraries begin with a verb."""
    if name.startswith("_"):  # Python itself asks for some
        return ""
    from difflib import get_close_matches

    bare = name.lower().removeprefix("get_").removeprefix("load_")
    near = [bare] if bare in __all__ else get_close_matches(name.lower(), __all__, n=1, cutoff=0.75)
    return f"; did you mean gecval.{near[0]}?" if near else "; dir(gecval) lists all names"


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
