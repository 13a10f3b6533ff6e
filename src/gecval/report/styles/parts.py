"""Which columns of a wide table stand side by side, and how wide each is.

Names and headings fold first. Where that is not enough, the table goes on below: the columns that name a row come
again, beside the next columns. A table too wide even then runs over. A number never breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gecval.report.grid import Column


@dataclass(frozen=True, kw_only=True)
class Page:
    """The width of a page and how to measure what stands on it, in signs or in points."""

    width: float
    measure: Callable[[str], float]
    gap: float  # between two columns
    edges: float  # at both ends of a line together
    longest_word: float  # a longer word may break
    shortest: float  # in need, a column of text may become so narrow
    bold: float = 1.0  # how much wider bold letters are

    def parts(self, columns: Sequence[Column]) -> Iterator[Sequence[Column]]:
        """The columns that fit side by side, each time after those that name the row."""
        if self._fit(columns):
            yield columns
            return
        names = columns[: self._names(columns)]
        part = list(names)
        for group in self._groups(columns[len(names) :], names):
            if len(part) > len(names) and not self._fit([*part, *group]):
                yield part
                part = list(names)
            part += group
        yield part

    def sizes(self, columns: Sequence[Column]) -> list[float]:
        """The width of every column: all that it wants, or a fair share of the room that is left."""
        wanted, least = list(map(self.natural, columns)), list(map(self._least, columns))
        room = self.width - self.gap * (len(columns) - 1) - self.edges
        if sum(wanted) <= room:
            return wanted
        if sum(least) > room:  # long words break before a line runs over
            least = [
                low if column.rigid else min(low, self.shortest) for low, column in zip(least, columns, strict=True)
            ]
        spare, lacking = max(room - sum(least), 0), sum(wanted) - sum(least)
        return [low + spare * (high - low) // max(lacking, 1) for low, high in zip(least, wanted, strict=True)]

    def natural(self, column: Column) -> float:
        """The width at which nothing folds."""
        return max([1, *map(self.measure, column.name.splitlines()), *self._cells(column)])

    def lines(self, text: str, size: float) -> list[str]:
        """The words of a text in lines that are so wide; a word that is wider has a line of its own."""
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.measure(longer) <= size:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _least(self, column: Column) -> float:
        """The narrowest that a column should be: no number breaks, and no word that is not very long."""
        if column.rigid:
            return max(self._longest_word([column.name]), *self._cells(column))
        return min(self._longest_word([column.name, *column.cells]), self.longest_word)

    def _cells(self, column: Column) -> Iterator[float]:
        for r, cell in enumerate(column.cells):
            factor = self.bold if r in column.bold else 1
            yield max((factor * self.measure(line) for line in cell.splitlines()), default=0)

    def _longest_word(self, texts: Sequence[str]) -> float:
        return max((self.measure(word) for text in texts for word in text.split()), default=1)

    def _names(self, columns: Sequence[Column]) -> int:
        """How many columns name a row: those before the first number, as far as they leave half of the width."""
        texts = next((c for c, column in enumerate(columns) if column.rigid), 1)
        half = self.width / 2
        return max((count for count in range(1, texts + 1) if self._total(columns[:count]) <= half), default=1)

    def _groups(self, columns: Sequence[Column], names: Sequence[Column]) -> Iterator[Sequence[Column]]:
        """A number together with its interval, where there is room for both."""
        group: list[Column] = []
        for column in columns:
            if group and not (column.of_last and self._fit([*names, *group, column])):
                yield group
                group = []
            group.append(column)
        if group:
            yield group

    def _fit(self, columns: Sequence[Column]) -> bool:
        return self._total(columns) <= self.width

    def _total(self, columns: Sequence[Column]) -> float:
        return sum(map(self._least, columns)) + self.gap * (len(columns) - 1) + self.edges
