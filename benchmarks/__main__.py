"""``python -m benchmarks [NAME ...]``: measure all, or those named, and print a report in markdown."""

import os
import platform
import signal
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from benchmarks import conll, essays, imeasure, m2, maege, modern, ngrams, pairs, resampling, scale, unrelated
from benchmarks.measure import CORES, free_cores, table

MODULES = {
    "m2": m2,
    "unrelated": unrelated,
    "essays": essays,
    "ngrams": ngrams,
    "modern": modern,
    "imeasure": imeasure,
    "resampling": resampling,
    "scale": scale,
    "pairs": pairs,
    "maege": maege,
}
# Measured only when named: they take minutes each, and a board's libraries.
NAMED = ("ladder", "board_queue", "board_readers", "board_upload", "judgments")


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in MODULES and name not in NAMED]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; there are {', '.join([*MODULES, *NAMED])}", file=sys.stderr)
        return 2
    modules = MODULES | {name: import_module(f"benchmarks.{name}") for name in names if name in NAMED}
    if not conll.GOLD.exists():
        print(f"benchmarks skipped: no {conll.GOLD}; `gecval data fetch conll14 references` gets it", file=sys.stderr)
        return 0
    before, free = os.getloadavg(), free_cores()
    sections = []
    for name in names or MODULES:
        print(f"measuring {name} ...", file=sys.stderr)
        sections.append(modules[name].report())
    print("# Benchmarks\n")
    print(machine())
    print(f"Load average over the last minute: {before[0]:.1f} at the start, {os.getloadavg()[0]:.1f} at the end;")
    print(f"threads that only hash got {free:.2f} of {CORES} cores at the start, {free_cores():.2f} at the end.\n")
    targets = [target for section in sections for target in section.targets]
    rows = [[target.asked, target.measured, "yes" if target.met else "**no**"] for target in targets]
    print(table(["target", "measured", "met"], rows))
    for section in sections:
        print(f"\n## {section.title}\n\n" + "\n\n".join(section.text))
    return 0


def machine() -> str:
    """What it ran on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    packages = ", ".join(f"{name} {version(name)}" for name in ("gecval", "numpy", "rapidfuzz"))
    processor = models[0] if models else platform.processor()
    return f"{CORES} cores {processor}, {platform.system()}, Python {platform.python_version()}, {packages}."


if __name__ == "__main__":
    # Who is told to stop stops the servers too, and deletes their folders.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.exit(main(sys.argv[1:]))
