"""How far do annotators agree: each pair, each against the rest, by type; and who is far from the others?

    F = 2·same / (edits of one + edits of the other),   summed over the sentences that both saw

An annotator who has no reference for a sentence did not see it: the sentence counts for no pair with this annotator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from gecval.corpus import Corpus
from gecval.edits.annotate import annotate
from gecval.edits.choice import choose_extractor
from gecval.errors import InputError
from gecval.metrics.errant_types import DETAILS, Detail
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling
from gecval.stats.raters import cohen_kappa, fleiss_kappa
from gecval.stats.sums import SentenceSums
from gecval.studies.agreement.counting import Annotations, by_annotator
from gecval.studies.agreement.results import Agreed, Agreement, AnnotatorAgreement, AnnotatorPair, TypeAgreement
from gecval.studies.agreement.rows import Columns, PairRows, f_score, fleiss_of, type_rows
from gecval.studies.inputs import Edits as GivenEdits
from gecval.studies.inputs import given_extractor, given_jobs

FAR = 0.05
MOST_ANNOTATORS = 60  # pairs grow with the square


def agreement(
    corpus: Corpus,
    *,
    far: float = FAR,
    detail: Detail = "category",
    resampling: Resampling | None = None,
    extractor: GivenEdits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Agreement:
    """Measure how far the annotators of a corpus agree.

    Parameters
    ----------
    corpus
        References by two annotators or more. An annotator may lack some sentences.
    far
        An annotator is an outlier if F with the others is lower, by more than this and beyond chance, than F among the
        others.
    detail
        How fine types are, as in ``score_by_type``.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go .", "A b ."], [["He goes .", "He went ."], ["A c .", "A c ."]])
    >>> agreed = agreement(corpus, extractor="plain")
    >>> agreed.overall.f, round(agreed.overall.kappa, 3), agreed.pairs[0].same_edits
    (0.5, 1.0, 1)
    """
    if not far >= 0:
        raise InputError(f"far is a difference of F from 0, not {far}", parameter="far")
    if detail not in DETAILS:
        raise InputError(f"detail is one of {', '.join(DETAILS)}, not {detail!r}", parameter="detail")
    resampling = resampling or Resampling()
    corpus = _with_edits(corpus, extractor, given_jobs(jobs), progress)
    names, sentences = by_annotator(corpus)
    _check(names, sentences)
    announce(progress, "comparing annotators")
    pairs = PairRows.of(corpus, names, sentences)
    sums = SentenceSums(pairs.rows, resampling)
    f, f_interval = sums.figure(lambda totals: f_score(pairs.all(totals)))
    kappa, kappa_interval = SentenceSums(fleiss_of(corpus, sentences), resampling).figure(fleiss_kappa)
    overall = Agreed(
        sentences=sum(len(seen) > 1 for seen in sentences),
        f=f,
        f_interval=f_interval,
        kappa=kappa,
        kappa_interval=kappa_interval,
    )
    return Agreement(
        overall=overall,
        annotators=tuple(_against_rest(a, sentences, pairs, sums, far=far) for a in range(len(names))),
        pairs=tuple(_pairs(pairs, sums)),
        types=tuple(_types(corpus, sentences, detail, resampling)),
        level=resampling.level,
        far=far,
        signature=_signature(corpus, detail, resampling),
        notes=(*corpus.notes, *_notes(names, sentences)),
    )


def _with_edits(corpus: Corpus, extractor: GivenEdits, jobs: int, progress: Progress) -> Corpus:
    if corpus.has_edits():
        return corpus
    finder, notes = given_extractor(extractor), list[str]()
    if finder is None:
        finder, note = choose_extractor(corpus)
        notes = [note]
    return annotate(corpus, finder, notes=tuple(notes), jobs=jobs, progress=progress)


def _check(names: Sequence[str], sentences: Annotations) -> None:
    if len(names) < 2:
        raise InputError("agreement needs two annotators or more; here is one", parameter="references")
    if len(names) > MOST_ANNOTATORS:
        raise InputError(f"agreement takes up to {MOST_ANNOTATORS} annotators, not {len(names)}")
    if all(len(seen) < 2 for seen in sentences):
        raise InputError(
            "no sentence has two annotators, so nothing shows whether they agree. For an .m2 file, say with missing "
            "what an annotator without a line did",
            parameter="missing",
        )


def _notes(names: Sequence[str], sentences: Annotations) -> list[str]:
    lacking = sum(len(names) - len(seen) for seen in sentences)
    if not lacking:
        return []
    alone = sum(len(seen) < 2 for seen in sentences)
    return [
        f"annotators lack {lacking:,} of {len(names) * len(sentences):,} annotations; such a sentence does not count "
        f"for the annotator; {alone:,} of {len(sentences):,} sentences have fewer than two annotators"
    ]


def _against_rest(
    a: int, sentences: Annotations, pairs: PairRows, sums: SentenceSums, *, far: float
) -> AnnotatorAgreement:
    name, count = pairs.names[a], len(pairs.names)
    total = pairs.of_annotator(sums.rows.sum(axis=0), a)
    f, f_interval = sums.figure(lambda totals: f_score(pairs.of_annotator(totals, a)))
    kappa, kappa_interval = sums.figure(lambda totals: cohen_kappa(pairs.of_annotator(totals, a)[..., Columns.TOKENS]))
    # Together, the intervals of all annotators hold at the level (Bonferroni).
    together = 1 - (1 - sums.resampling.level) / count
    distance, interval = sums.figure(
        lambda totals: f_score(pairs.of_annotator(totals, a)) - f_score(pairs.without(totals, a)), level=together
    )
    return AnnotatorAgreement(
        annotator=name,
        saw=sum(name in seen for seen in sentences),
        sentences=sum(name in seen and len(seen) > 1 for seen in sentences),
        edits=sum(len(seen.get(name, ())) for seen in sentences),
        precision=_share(total[Columns.SAME], total[Columns.FIRST]),
        recall=_share(total[Columns.SAME], total[Columns.SECOND]),
        f=f,
        f_interval=f_interval,
        kappa=kappa,
        kappa_interval=kappa_interval,
        among_others=float(f_score(pairs.without(sums.rows.sum(axis=0), a))),
        distance=distance,
        distance_interval=interval,
        outlier=None if count < 3 or interval is None else interval.high < -far,
    )


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")


def _pairs(pairs: PairRows, sums: SentenceSums) -> Iterator[AnnotatorPair]:
    for p, (a, b) in enumerate(pairs.pairs):
        total = sums.rows[:, p].sum(axis=0)
        f, f_interval = sums.figure(lambda totals, p=p: f_score(totals[..., p, :]))  # type: ignore[misc]
        kappa, kappa_interval = sums.figure(
            lambda totals, p=p: cohen_kappa(totals[..., p, Columns.TOKENS])  # type: ignore[misc]
        )
        yield AnnotatorPair(
            first=pairs.names[a],
            second=pairs.names[b],
            sentences=int(total[Columns.SHARED]),
            first_edits=int(total[Columns.FIRST]),
            second_edits=int(total[Columns.SECOND]),
            same_edits=int(total[Columns.SAME]),
            f=f,
            f_interval=f_interval,
            kappa=kappa,
            kappa_interval=kappa_interval,
        )


def _types(corpus: Corpus, sentences: Annotations, detail: Detail, resampling: Resampling) -> Iterator[TypeAgreement]:
    shared = sum(len(seen) > 1 for seen in sentences)
    for types, counts, rows in type_rows(corpus, sentences, detail):
        sums = SentenceSums(rows, resampling)
        for t, (kind, count) in enumerate(zip(types, counts, strict=True)):
            f, f_interval = sums.figure(lambda totals, t=t: f_score(totals[..., t, :]))  # type: ignore[misc]
            kappa, kappa_interval = sums.figure(lambda totals, t=t: fleiss_kappa(totals[..., t, 3:]))  # type: ignore[misc]
            yield TypeAgreement(
                type=kind,
                edits=count,
                sentences=shared,
                f=f,
                f_interval=f_interval,
                kappa=kappa,
                kappa_interval=kappa_interval,
            )


def _signature(corpus: Corpus, detail: Detail, resampling: Resampling) -> str:
    fields = ["agreement", f"detail:{detail}", f"source:{corpus.source_hash}", f"refs:{corpus.reference_count}"]
    fields += [f"references:{corpus.reference_hash}", *([corpus.extractor] if corpus.extractor else [])]
    return "|".join([*fields, resampling.signature(), f"gecval:{version('gecval')}"])
