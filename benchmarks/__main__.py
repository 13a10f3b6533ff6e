"""``python -m benchmarks [NAME ...]``: measure all, or those named, and print a report in markdown.

With ``write`` as the last NAME, each section that docs/benchmarks.md has a place for is put there.
"""

import os
import platform
import signal
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from benchmarks import conll, essays, imeasure, m2, maege, modern, ngrams, pairs, resampling, rows, scale, unrelated
from benchmarks.measure import CORES, free_cores, table

MODULES = {
    "m2": m2.report,
    "unrelated": unrelated.report,
    "essays": essays.report,
    "ngrams": ngrams.report,
    "modern": modern.report,
    "imeasure": imeasure.report,
    "resampling": resampling.report,
    "scale": scale.report,
    "pairs": pairs.report,
    "maege": maege.report,
}
# Measured only when named: they take minutes each, and models or a board's libraries.
NAMED = {"rows": rows.report, "slopes": scale.slopes}
IMPORTED = ("ladder", "board_attacker", "board_queue", "board_readers", "board_upload", "judgments")


PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"


def main(arguments: list[str]) -> int:
    names = [name for name in arguments if name != "write"]
    there = [*MODULES, *NAMED, *IMPORTED]
    if unknown := [name for name in names if name not in there]:
        print(f"no benchmark {unknown[0]!r}; there are {', '.join(there)}", file=sys.stderr)
        return 2
    imported = {name: import_module(f"benchmarks.{name}").report for name in names if name in IMPORTED}
    measures = MODULES | NAMED | imported
    os.environ["HF_HUB_OFFLINE"] = "1"  # metrics whose model is not here are left out, without a try for it
    if not conll.GOLD.exists():
        print(f"benchmarks skipped: no {conll.GOLD}; `gecval data fetch conll14 references` gets it", file=sys.stderr)
        return 0
    before, free = os.getloadavg(), free_cores()
    measured = {}
    for name in names or MODULES:
        print(f"measuring {name} ...", file=sys.stderr)
        measured[name] = measures[name]()
    sections = list(measured.values())
    print("# Benchmarks\n")
    print(machine())
    print(f"Load average over the last minute: {before[0]:.1f} at the start, {os.getloadavg()[0]:.1f} at the end;")
    print(f"threads that only hash got {free:.2f} of {CORES} cores at the start, {free_cores():.2f} at the end.\n")
    targets = [target for section in sections for target in section.targets]
    rows = [[target.asked, target.measured, "yes" if target.met else "**no**"] for target in targets]
    print(table(["target", "measured", "met"], rows))
    for section in sections:
        print(f"\n## {section.title}\n\n" + "\n\n".join(section.text))
    if "write" in arguments:
        control = f"Control: {free:.2f} of {CORES} cores before, {free_cores():.2f} after."
        for name, section in measured.items():
            write(name, "\n\n".join([f"{machine()} {control}", *section.text]))
    return 0


def write(name: str, text: str) -> None:
    """Put a section between its marks in docs/benchmarks.md, if it has some there."""
    page = PAGE.read_text(encoding="utf-8")
    start, end = f"<!-- measured: {name} -->\n", "<!-- end -->"
    head, found, rest = page.partition(start)
    if found:
        PAGE.write_text(f"{head}{start}{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")


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
