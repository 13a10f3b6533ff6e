"""The sentences and outputs of a campaign, and the edits of an output as marks."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy.orm import Session

from gecval.board import blobs
from gecval.board.data import Files, output, without_references
from gecval.board.database.models import Campaign, Submission
from gecval.edits.extractors import extract, extractor

KEPT = 8  # campaigns whose texts are held in memory: they never change
_kept: OrderedDict[tuple[str | None, ...], Texts] = OrderedDict()


@dataclass(frozen=True)
class Texts:
    """Sources, and the outputs of each label."""

    sources: tuple[str, ...]
    outputs: dict[str, tuple[str, ...]]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(sorted(self.outputs))

    def groups(self, sentence: int) -> list[list[str]]:
        """The labels by equal outputs of a sentence; blanks alone make no difference."""
        groups: dict[tuple[str, ...], list[str]] = {}
        for label in self.labels:
            groups.setdefault(tuple(self.outputs[label][sentence].split()), []).append(label)
        return list(groups.values())


def texts_of(session: Session, campaign: Campaign) -> Texts:
    """The texts. A submission that was deleted, for now or for good, has none."""
    rows = {one.label: session.get(Submission, one.submission_id) for one in campaign.contestants if one.submission_id}
    there = {label: row for label, row in rows.items() if row is not None and row.deleted is None}
    key = (campaign.id, *there)
    if key in _kept:
        _kept.move_to_end(key)
        return _kept[key]
    corpus = without_references(Files.of(session, campaign.version).corpus())
    outputs = {}
    for label, row in there.items():
        written = output(corpus, label, row.file_name, blobs.content(session, row.blob))
        outputs[label] = tuple(written.hypotheses)
    texts = _kept[key] = Texts(tuple(corpus.sources), outputs)
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    return texts


class Piece(NamedTuple):
    """A part of an output: ``same``, ``added`` or ``taken``, which is in the source only."""

    kind: str
    text: str


def marked(source: str, corrected: str) -> list[Piece]:
    """An output with its edits.

    >>> [tuple(piece) for piece in marked("He go home", "He goes home .")]
    [('same', 'He'), ('taken', 'go'), ('added', 'goes'), ('same', 'home'), ('added', '.')]
    """
    [edits] = extract(extractor("plain"), [(source, corrected)])
    words, at = source.split(), 0
    pieces: list[Piece] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += [
            Piece("same", " ".join(words[at : edit.start])),
            Piece("taken", " ".join(words[edit.start : edit.end])),
            Piece("added", edit.correction),
        ]
        at = edit.end
    return [piece for piece in [*pieces, Piece("same", " ".join(words[at:]))] if piece.text]
