"""The settings that a signature names: metric, references, extractor of edits, aggregate."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Any, cast

from gecval.corpus import Corpus, System
from gecval.edits.errant import ErrantExtractor
from gecval.edits.extractors import Extractor, extractor, full_signature
from gecval.errors import InputError
from gecval.formats import MISSING, Missing, load_corpus
from gecval.formats.files import parse_json
from gecval.formats.kinds import kind_of
from gecval.metrics import metric, metric_names
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate
from gecval.metrics.registry import METRICS
from gecval.results.signature import Signature, print_metric
from gecval.runtime.plugins import parse_expression
from gecval.runtime.run import HERE, Run
from gecval.stats.ranking import Contest
from gecval.studies.scores.preparation import prepare
from gecval.studies.scores.result import Score, Scores
from gecval.studies.scores.study import score

Corpora = Mapping[str, Callable[[], Corpus]]  # given data by a name that people understand; loaded when asked for
_CODE_OR_FILE = ":/\\"  # a signature may come from anybody: it must not run code


@dataclass(frozen=True, kw_only=True)
class ScoreSettings:
    """All that decides a score besides the output. ``data`` is the name of the corpus."""

    metric: Metric
    data: str
    corpus: Corpus
    extractor: Extractor | None
    aggregate: Aggregate | Contest

    def scores(self, systems: Sequence[System], *, run: Run) -> dict[str, float]:
        """The score of every system."""
        given = score(
            self.corpus, systems, [self.metric], aggregate=self.aggregate, edits=self.extractor, run=run.quiet()
        )
        return {scored.system: scored.score for scored in given}

    def signature(self, *, run: Run) -> Signature:
        """The signature of these settings, as far as it goes without outputs."""
        [seen] = prepare(self.corpus, [], [self.metric], extractor=self.extractor, run=run.quiet())
        return Signature.of(self.metric, seen, self.aggregate)


def find_settings(signed: Signature, spelling: str | None, corpora: Corpora, *, run: Run) -> ScoreSettings | None:
    """The settings of a signature, with the corpus that has its hashes; None where no given corpus has them.

    ``spelling`` is how the result that holds the signature spells the metric.
    """
    scored, finder = _make_metric(signed, spelling), _make_extractor(signed)
    aggregate = cast(Aggregate | Contest, signed.fields["aggregate"])
    wanted = {name: signed.fields[name] for name in ("source", "references") if name in signed.fields}
    for name, load in corpora.items():
        try:
            made = ScoreSettings(metric=scored, data=name, corpus=load(), extractor=finder, aggregate=aggregate)
            fields = made.signature(run=run).fields
        except InputError:
            continue  # files that do not go together, or text where the metric needs edits
        if all(fields.get(field) == value for field, value in wanted.items()):
            return made
    return None


def move_settings(settings: ScoreSettings, signed: Signature, spelling: str | None) -> ScoreSettings:
    """The settings of a signature on the corpus of other settings."""
    return replace(
        settings,
        metric=_make_metric(signed, spelling),
        extractor=_make_extractor(signed),
        aggregate=cast(Aggregate | Contest, signed.fields["aggregate"]),
    )


def _make_metric(signed: Signature, spelling: str | None) -> Metric:
    """The metric of a signature. It must give the signature's beginning again, so that nothing is guessed."""
    if signed.metric not in metric_names():
        raise InputError(f"no steps: {signed.metric} is no metric of gecval's own")
    if "hypotheses" in signed.fields:
        raise InputError("no steps: the outputs came with their edits, and steps find edits in texts")
    spelled = spelling if spelling and not any(sign in spelling for sign in _CODE_OR_FILE) else None
    made = metric(spelled) if spelled else _from_parameters(signed)
    if made is None or not signed.begins(made):
        spell = "give results of `gecval score --format json`, which spell it out"
        reason = f"here it is {print_metric(made)}" if made else spell
        raise InputError(f"no steps: the metric {signed.head} cannot be made from its signature; {reason}")
    return made


def _from_parameters(signed: Signature) -> Metric | None:
    """The metric with the parameters that a signature lists, where each is a plain value."""
    made = METRICS.load(signed.metric)
    if not (isinstance(made, type) and issubclass(made, Metric)):
        return None
    values: dict[str, Any] = {}
    for field in made.parameter_fields():
        if field.name not in signed.parameters:
            continue
        text = signed.parameters[field.name]
        if isinstance(field.default, str) and any(sign in text for sign in _CODE_OR_FILE):
            return None
        try:
            values[field.name] = text if isinstance(field.default, str) else ast.literal_eval(parse_expression(text))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None
    try:
        return made(**values)
    except (InputError, TypeError):
        return None


def _make_extractor(signed: Signature) -> Extractor | None:
    """The extractor that a signature names; None where the references bring their edits."""
    named = signed.fields.get("edits")
    if named is None:
        return None
    if named == "plain":
        return extractor("plain")
    if named.startswith("errant:"):
        made = ErrantExtractor.from_signature(named)
        if full_signature(made).startswith(named):
            return made
    raise InputError(f"no steps: the edits were found by {named}, which is not what is installed here")


# The corpora that the given files can be: any of the reference files together, and every meaning of a missing line.


MAX_FILES = 6


def list_corpora(
    source: Path | None, references: Sequence[Path], *, run: Run = HERE
) -> dict[str, Callable[[], Corpus]]:
    """Corpora by name: all files first, then fewer. Each is read when it is asked for."""
    if len(references) > MAX_FILES:
        raise InputError(f"give up to {MAX_FILES} files of references, not {len(references)}", parameter="references")
    if len(set(references)) < len(references):
        raise InputError("a file of references is given twice", parameter="references")
    sizes = range(len(references), 0, -1) if references else [0]
    unique = len({path.name for path in references}) == len(references)
    made: dict[str, Callable[[], Corpus]] = {}
    for size in sizes:
        for files in combinations(references, size):
            meanings = MISSING if any(kind_of(path) == "m2" for path in files) else ("absent",)
            for missing in meanings:
                name = " + ".join(path.name if unique else str(path) for path in files) or (
                    source.name if source else ""
                )
                name += f" (missing annotators: {missing})" if missing != "absent" else ""
                made[name] = cache(partial(_load, source, files, missing, run=run))
    return made


def load_first_corpus(corpora: Corpora) -> Corpus:
    """The first that can be loaded: files of other sentences do not go together, and some need no meaning."""
    errors: list[InputError] = []
    for load in corpora.values():
        try:
            return load()
        except InputError as error:
            errors.append(error)
    raise errors[0]


def _load(source: Path | None, files: tuple[Path, ...], missing: Missing, *, run: Run) -> Corpus:
    return load_corpus(source, files, missing=missing, run=run)


# What is to be explained: two signatures, or two results with a signature for each score.


MAX_BYTES = 500_000_000
SAME = 1e-9  # scores that differ by less are the same


@dataclass(frozen=True, kw_only=True)
class StatedScore:
    """A signature, with the system, the spelling of the metric and the score where a result states them."""

    signature: Signature
    system: str | None = None
    metric: str | None = None
    score: float | None = None


@dataclass(frozen=True, kw_only=True)
class ScorePair:
    """Two that belong together: the same system under the same metric, or the only ones there are."""

    a: StatedScore
    b: StatedScore

    @property
    def system(self) -> str | None:
        names = dict.fromkeys(name for name in (self.a.system, self.b.system) if name is not None)
        return " → ".join(names) or None


def read_stated(given: str | Path | Score | Scores) -> list[StatedScore]:
    """Everything that a signature, a score, scores, or a JSON file of scores states."""
    if isinstance(given, Score | Scores):
        rows: Iterable[Any] = [given] if isinstance(given, Score) else given
        return [
            StatedScore(signature=Signature.parse(row.signature), system=row.system, metric=row.metric, score=row.score)
            for row in rows
        ]
    if isinstance(given, str):
        return [StatedScore(signature=Claim.parse(given).signature)]
    return _read_file(given)


def _read_file(path: Path) -> list[StatedScore]:
    what = "a file that `gecval score --format json` writes"
    if not path.is_file():
        raise InputError(f"{path} is neither a signature nor a file; give a signature in quotes, or {what}")
    if path.stat().st_size > MAX_BYTES:
        raise InputError(f"{path} has more than {MAX_BYTES:,} bytes; give {what}")
    try:
        rows = parse_json(path.read_bytes())["scores"]
        listed = [
            StatedScore(
                signature=Signature.parse(row["signature"]),
                system=_check_text(row["system"]),
                metric=_check_text(row["metric"]),
                score=_check_number(row["score"]),
            )
            for row in rows
        ]
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise InputError(f"{path} holds no scores with signatures; give {what}") from None
    if not listed:
        raise InputError(f"{path} holds no scores; give {what}")
    return listed


# Signatures as papers print them.


NUMBER = r"(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?: ?%)?)"
_NUMBERED = re.compile(
    rf"(?P<before>{NUMBER}(?=[\s=:&(]))?[\s=:&(]*(?P<text>.*?)(?:(?:\s*=\s*|\s+)(?P<after>{NUMBER}))?[\s)]*", re.S
)
_PRINTED = {
    r"\\(?:texttt|path|url)\{(.*)\}": r"\1",
    r"\\textbar(?:\{\}| )?|&#124;|\$\|\$": "|",
    r"\\textunderscore(?:\{\}| )?": "_",
    r"\\allowbreak(?:\{\}| )?|`": "",
    r"\\([|_#&%{}$])": r"\1",
    r"(?m)^[ \t]*[%#>]+ ?": "",  # comments and quotations
}


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A score that somebody states: its signature, and the number as it is written, if there is one."""

    signature: Signature
    number: str | None = None

    @classmethod
    def parse(cls, text: str) -> Claim:
        r"""Read a signature as papers print it: escaped, broken over lines, the number before or after it.

        >>> claim = Claim.parse(r".35 = m2\|max\_unchanged:2\|aggregate:corpus\|source:4c12b583\|gecval:0.1.0")
        >>> claim.number, str(claim.signature)
        ('.35', 'm2|max_unchanged:2|aggregate:corpus|source:4c12b583|gecval:0.1.0')
        """
        for pattern, plain in _PRINTED.items():
            text = re.sub(pattern, plain, text, flags=re.DOTALL)
        found = _NUMBERED.fullmatch(text.strip(" \t\r\n'\""))
        assert found is not None  # every part may be empty
        whole = re.sub(r",\s*\n\s*", ", ", found["text"])  # a value such as ('R:SPELL', 'R:ORTH') has blanks
        whole = re.sub(r"\s*\n\s*|\s+(?=\|)|(?<=\|)\s+", "", whole)
        return cls(signature=Signature.parse(whole), number=found["before"] or found["after"])

    @classmethod
    def read(cls, path: Path) -> Claim:
        """The only signature of a file: alone, in lines of its own below a table, or in a result as JSON."""
        if path.suffix in (".json", ".jsonl"):
            stated = _read_file(path)
            if len(stated) > 1:
                raise InputError(f"{path} holds {len(stated)} scores; give one signature in quotes, and its number")
            return cls(signature=stated[0].signature, number=f"{stated[0].score:.6f}")
        text = path.read_text("utf-8", errors="replace")
        claims = dict.fromkeys(filter(None, map(cls._parse_line, text.splitlines())))
        if len(claims) > 1:
            names = ", ".join(claim.signature.metric for claim in claims)
            raise InputError(f"{path} holds {len(claims)} signatures ({names}); give one in quotes")
        return next(iter(claims), None) or cls.parse(text)

    @classmethod
    def _parse_line(cls, line: str) -> Claim | None:
        try:
            claim = cls.parse(line)
        except InputError:
            return None
        return claim if claim.signature.metric in metric_names() else None  # the end of a broken one begins otherwise

    def equals(self, score: float, scale: tuple[float, float]) -> bool:
        """Whether a score is the number, in the decimals that the number has."""
        assert self.number is not None
        value = float(self.number.rstrip(" %"))
        places = len(self.number.rstrip(" %").partition(".")[2])
        return abs(score * self._factor(scale) - value) <= 0.5 * 10.0**-places + SAME

    def write(self, score: float, scale: tuple[float, float]) -> str:
        """A score as the number is written, in at least as many decimals as tables have."""
        factor, number = self._factor(scale), self.number or ""
        places = max(len(number.rstrip(" %").partition(".")[2]), 2 if factor == 100 else 4)
        return f"{score * factor:.{places}f}{'%' if '%' in number else ''}"

    def _factor(self, scale: tuple[float, float]) -> int:
        """100 where a score up to 1 is written in percent."""
        number = self.number or ""
        return 100 if "%" in number or (scale[1] == 1 and float(number or 0) > 1) else 1


def pair_scores(a: list[StatedScore], b: list[StatedScore]) -> tuple[list[ScorePair], list[str]]:
    """Which belong together, and notes on what is left out."""
    if a[0].system is None or b[0].system is None:
        only, others = (a[0], b) if a[0].system is None else (b[0], a)
        alike = [row for row in others if row.signature.metric == only.signature.metric] or others
        return [ScorePair(a=only, b=row) if only is a[0] else ScorePair(a=row, b=only) for row in alike], []
    systems = [name for name in dict.fromkeys(row.system for row in a) if name in {row.system for row in b}]
    names = [{row.system for row in rows} for rows in (a, b)]
    if not systems and max(map(len, names)) > 1:
        raise InputError("no system is in both results; give results that share a system, or have one system each")
    pairs = [(name, name) for name in systems] or [(a[0].system, b[0].system)]
    made: list[ScorePair] = []
    for first, second in pairs:
        made += _pair_by_metric([row for row in a if row.system == first], [row for row in b if row.system == second])
    if not made:
        raise InputError("no metric is in both results; give results that share a metric, or have one metric each")
    used = {id(side.a) for side in made} | {id(side.b) for side in made}
    left = [f"{row.system} under {row.metric}" for row in (*a, *b) if id(row) not in used]
    notes = [f"left out, as only one of the two results has it: {', '.join(left)}"] if left else []
    return made, notes


def _pair_by_metric(a: list[StatedScore], b: list[StatedScore]) -> list[ScorePair]:
    """Scores with the same spelling; then the only ones of a metric; then the only ones that are left."""
    made: list[ScorePair] = []
    for key in (lambda row: row.metric, lambda row: row.signature.metric, lambda row: None):
        for value in dict.fromkeys(key(row) for row in a):
            first, second = ([row for row in rows if key(row) == value] for rows in (a, b))
            if len(first) == len(second) == 1:
                made.append(ScorePair(a=first[0], b=second[0]))
                a, b = ([row for row in rows if row is not used[0]] for rows, used in ((a, first), (b, second)))
    return made


def _check_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _check_number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    number = float(value)  # an integer may be too large for it
    if not isfinite(number):
        raise ValueError
    return number
