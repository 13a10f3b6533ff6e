"""What ``gecval data`` shows: all data sets in a list, or everything about one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.formats.datasets.catalog import Upstream, datasets, find_dataset
from gecval.formats.datasets.folder import DatasetState, FileState, State, Whole, check, data_folder
from gecval.results.result import Result
from gecval.results.table import DELIMITED, Cell, Table


@dataclass(frozen=True, kw_only=True)
class DatasetRow:
    """One data set in short. ``by_hand`` is the number of files that users must get themselves."""

    name: str
    title: str
    language: str
    licence: str
    files: int
    bytes: int
    by_hand: int
    state: Whole
    folder: str


@dataclass(frozen=True, kw_only=True, repr=False)
class DatasetList(Result):
    """Every data set of the registry, and how much of it is in the data folder."""

    kind: ClassVar[str] = "datasets"
    view: ClassVar[str] = "list_tables"
    main: ClassVar[str] = "datasets"

    folder: str
    datasets: tuple[DatasetRow, ...]


@dataclass(frozen=True, kw_only=True)
class FileRow:
    """One file. ``address`` is where it is downloaded from; ``path`` where it lies; ``why`` how it differs."""

    name: str
    state: State
    why: str
    path: str | None
    address: str | None
    bytes: int | None
    sha256: str | None


@dataclass(frozen=True, kw_only=True, repr=False)
class DatasetCard(Result):
    """Everything about one data set: what it is, its terms, where it comes from, and what of it is there."""

    kind: ClassVar[str] = "dataset"
    view: ClassVar[str] = "card_tables"
    main: ClassVar[str] = "files"

    name: str
    title: str
    language: str
    licence: str
    citation: str
    terms: str
    sources: tuple[str, ...]
    by_hand: str
    folder: str
    state: Whole
    files: tuple[FileRow, ...]
    unknown: tuple[str, ...]

    @property
    def can_fetch(self) -> bool:
        """Whether ``fetch`` would download something."""
        return any(file.address for file in self.list_files("missing"))

    def list_files(self, state: State) -> tuple[FileRow, ...]:
        """The files in one of the states."""
        return tuple(file for file in self.files if file.state == state)


def list_datasets() -> DatasetList:
    """All data sets, by a quick look at the names and sizes of their files."""
    states = [check(entry, contents=False) for entry in datasets()]
    return DatasetList(folder=str(data_folder()), datasets=tuple(map(_row, states)))


def dataset_card(name: str) -> DatasetCard:
    """One data set; the content of every file that is there is checked.

    >>> dataset_card("gug").sources
    ('EducationalTestingService/gug-data@5f2c5c023a20fdc18ecc3e2630bb0d71898e4277',)
    """
    state = check(find_dataset(name))
    entry = state.dataset
    return DatasetCard(
        name=entry.name,
        title=entry.title,
        language=entry.language,
        licence=entry.licence,
        citation=entry.citation,
        terms=entry.terms,
        sources=entry.sources,
        by_hand=entry.by_hand,
        folder=str(state.folder),
        state=state.state,
        files=tuple(map(_file_row, state.files)),
        unknown=state.unknown,
        notes=tuple(_notes(state)),
    )


def list_tables(result: DatasetList, style: str = "text") -> list[Table]:
    """A row per data set."""
    rows: list[list[Cell]] = [
        [row.name, row.state, row.language, size(row.bytes), _hand(row.by_hand, row.files), row.licence, row.title]
        for row in result.datasets
    ]
    footnotes = [
        f"Data folder: {result.folder} (set GECVAL_DATA to use another)",
        "`gecval data list NAME` tells more about one, `gecval data fetch NAME` gets it",
    ]
    columns = ["name", "state", "language", "size", "by hand", "licence", "what"]
    return [Table(columns, list(rows), footnotes=footnotes)]


def card_tables(result: DatasetCard, style: str = "text") -> list[Table]:
    """For people what they must know before they use it; for programs a row per file."""
    if style in DELIMITED:
        columns = ["file", "state", "bytes", "sha256", "address", "path"]
        return [
            Table(
                columns,
                [[file.name, file.state, file.bytes, file.sha256, file.address, file.path] for file in result.files],
            )
        ]
    present = len(result.list_files("present"))
    total = sum(file.bytes or 0 for file in result.files)
    rows: list[list[Cell]] = [
        ["what", result.title],
        ["licence", result.licence],
        ["terms", result.terms],
        ["cite", result.citation],
        ["from", ", ".join(f"github.com/{source}" for source in result.sources)],
        ["files", f"{len(result.files)}, {size(total)}; {present} of them here"],
        ["by hand", result.by_hand],
        ["folder", result.folder],
        ["state", result.state],
    ]
    shown = [row for row in rows if row[1]]
    return [Table(["name", result.name], list(shown))]


def size(count: int) -> str:
    """
    >>> size(0), size(425_704), size(4_792_232)
    ('?', '0.4 MB', '4.8 MB')
    """
    return f"{max(count / 1e6, 0.1):.1f} MB" if count else "?"


def _row(state: DatasetState) -> DatasetRow:
    entry = state.dataset
    return DatasetRow(
        name=entry.name,
        title=entry.title,
        language=entry.language,
        licence=entry.licence,
        files=len(entry.files),
        bytes=sum(file.bytes or 0 for file in entry.files),
        by_hand=len(entry.files) - len(entry.fetched),
        state=state.state,
        folder=str(state.folder),
    )


def _file_row(state: FileState) -> FileRow:
    origin = state.file.origin
    return FileRow(
        name=state.file.name,
        state=state.state,
        why=state.why,
        path=None if state.path is None else str(state.path),
        address=origin.address if isinstance(origin, Upstream) else None,
        bytes=state.file.bytes,
        sha256=state.file.sha256,
    )


def _notes(state: DatasetState) -> list[str]:
    """What is not as it should be, where something of the set is there."""
    name = state.dataset.name
    missing = [file.file for file in state.list_files("missing")]
    fetched = [file.name for file in missing if file.origin is not None]
    by_hand = [file.name for file in missing if file.origin is None]
    notes = [f"{file.path} is not the registered file: {file.why}" for file in state.list_files("different")]
    if fetched and state.state != "absent":
        notes.append(f"{_several(fetched)} of {name} missing: `gecval data fetch {name}` gets the rest")
    if by_hand and state.dataset.fetched:
        notes.append(f"{_several(by_hand)} of {name} must be got by hand. {state.dataset.by_hand}")
    if state.unknown:
        notes.append(f"{_several(state.unknown)} in {state.folder}: not known to the registry")
    return notes


SHOWN = 3  # files that a note names


def _several(names: list[str] | tuple[str, ...]) -> str:
    """
    >>> _several(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _hand(by_hand: int, files: int) -> str:
    return "" if not by_hand else "all" if by_hand == files else f"{by_hand} of {files}"
