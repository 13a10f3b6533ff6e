"""python -m fuzz --cases 1000 --seed 1 [READER ...]: exits with 1 where a broken file was not refused in one line."""

from __future__ import annotations

import argparse
import faulthandler
import sys
from pathlib import Path

from fuzz.run import fuzz
from fuzz.targets import targets

MEMORY = 4 * 2**30  # bytes: a small file that asks for more is a finding


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("readers", nargs="*", metavar="READER", help="by default all")
    parser.add_argument("--cases", type=int, default=1000, help="broken files for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="where files that show a fault are kept")
    options = parser.parse_args()
    faulthandler.enable()
    _limit_memory()
    count = 0
    for target in targets():
        if options.readers and target.name not in options.readers:
            continue
        findings = fuzz(target, options.keep, cases=options.cases, seed=options.seed)
        print(f"{target.name}: {options.cases} broken files, {len(findings)} faults", flush=True)
        for finding in findings:
            print(f"  {finding.error!a}\n    {finding.file}", flush=True)
        count += len(findings)
    return 1 if count else 0


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    sys.exit(main())
