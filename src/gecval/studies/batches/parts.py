"""Work on a file of pairs that can be killed and taken up again: a part for each unit, and a plan that names them all.

    scored.parquet.parts/plan.json        what is done with which file; another run must have the same plan
    scored.parquet.parts/00012.parquet    the rows of unit 12
    scored.parquet.parts/00012.json       its counts, written last: the unit is done if this is there

All these files appear whole or not at all. When every unit is done, the parts become the output, and the folder goes.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gecval.errors import InputError
from gecval.formats.datasets.locking import alone
from gecval.formats.files import read_lines, write_files

Counts = Mapping[str, Any]
MENDED_ANEW = {"bad_rows", "columns", "where", "prefix"}


class Parts:
    """The folder of parts beside an output."""

    def __init__(self, output: Path) -> None:
        self.folder = output.with_name(f"{output.name}.parts")

    def part(self, unit: int, suffix: str) -> Path:
        return self.folder / f"{unit:05}.{suffix}"

    @contextmanager
    def held(self, plan: Mapping[str, Any]) -> Iterator[None]:
        """Work in the folder, alone. A folder of another plan is refused; one without a finished unit is removed."""

        def taken() -> None:
            raise InputError(f"another run is at work in {self.folder}")

        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with alone(self.folder.with_name(f".{self.folder.name}.lock"), taken):
            self._check(plan)
            try:
                yield
            except BaseException as error:
                # Whoever mends rows or these options begins another plan, so nothing here is of use.
                mended_anew = isinstance(error, InputError) and not MENDED_ANEW.isdisjoint(error.parameters)
                if mended_anew or not any(self.folder.glob("[0-9]*.json")):
                    self.remove()
                raise

    def _check(self, plan: Mapping[str, Any]) -> None:
        file = self.folder / "plan.json"
        if not file.is_file():
            self.remove()
            write_files({file: [json.dumps(plan)]})
        elif self._read(file) != json.loads(json.dumps(plan)):
            raise InputError(
                f"{self.folder} was begun with another file or other options: run that command again, or delete the "
                "folder to begin anew"
            )

    def done(self, unit: int) -> Counts | None:
        """The counts of a unit that is done."""
        file = self.part(unit, "json")
        return self._read(file) if file.is_file() else None

    def finish(self, unit: int, write: Callable[[], Counts]) -> Counts:
        """Write a part, then its counts."""
        counts = write()
        write_files({self.part(unit, "json"): [json.dumps(counts)]})
        return counts

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self, file: Path) -> Any:
        try:
            return json.loads("\n".join(read_lines(file)))
        except ValueError:
            raise InputError(f"{file} is damaged: delete the folder to begin anew") from None
