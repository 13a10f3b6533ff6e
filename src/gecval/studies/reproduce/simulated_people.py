"""Simulations of what people and crowds judge: correlations of few systems, rankings by judgments, crowd coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import asin, pi

import numpy as np
from scipy.special import ndtr

from gecval.formats.judgments import Judgment, Judgments, Placement
from gecval.runtime.run import SERIAL
from gecval.stats.correlation import correlate
from gecval.stats.coverage import ReferenceAgreement, observed_coverage
from gecval.stats.ranking import Standing
from gecval.stats.resampling import Array, Resampling, SentenceMean, bootstrap_interval
from gecval.studies.coverage.own_references import coverage_interval, note_few_agreements
from gecval.studies.human.correlations import explain_few_systems
from gecval.studies.human.ranking import Ranker, rank
from gecval.studies.reproduce.result import Promise, PValues

LEVEL, ALPHA, SEED = 0.95, 0.05, 1

# Correlations of a metric with people, over few systems.
#
# Scores of systems are normal, with Pearson's r = 0.7 or 0. Spearman's ρ is then 6/π · asin(r/2).


SYSTEMS = (4, 5, 7, 10, 15)
AGREEMENT = 0.7


def simulate_correlations(experiments: int) -> Iterator[Promise | PValues]:
    for systems in SYSTEMS:
        rng = np.random.default_rng([SEED, systems])
        rho = 6 / pi * asin(AGREEMENT / 2)
        notes = tuple(explain_few_systems("judgments", systems))
        covered = known = 0
        for _ in range(experiments):
            people, metric = _scores(rng, systems, AGREEMENT)
            low, high = correlate(people, metric, "spearman").interval
            known += not np.isnan(low)
            covered += low <= rho <= high
        if known:
            yield Promise(
                claim="interval of Spearman's ρ",
                settings=f"{systems} systems, ρ = {rho:.2f}",
                promised=LEVEL,
                measured=covered / known,
                experiments=known,
                warned=float(bool(notes)),
                warnings=notes,
            )
        p_values = np.array([correlate(*_scores(rng, systems, 0.0), "spearman").p for _ in range(experiments)])
        yield Promise(
            claim="test of Spearman's ρ",
            settings=f"{systems} systems, ρ = 0",
            promised=ALPHA,
            measured=float(np.mean(p_values <= ALPHA)),
            experiments=experiments,
            at_least=False,
            warned=float(bool(notes)),
            warnings=notes,
        )
        yield PValues(of="a correlation", test=f"Spearman's ρ, {systems} systems", values=p_values)


def _scores(rng: np.random.Generator, systems: int, r: float) -> tuple[Array, Array]:
    people, noise = rng.standard_normal((2, systems))
    return people, r * people + np.sqrt(1 - r * r) * noise


# Rankings of twelve systems by judgments.
#
# What a judge sees of an output is the quality of its system, the judge's taste for it, how well it does on this
# sentence, and noise. All are normal. So a system beats another with a known probability over judges and sentences, and
# its Expected Wins are known.


RANKED = 12
QUALITIES = np.linspace(-0.6, 0.6, RANKED)
ON_SENTENCE = 0.5  # the deviation of how well a system does on a sentence
RESAMPLES = 400
FEW_RUNS = 5  # of TrueSkill


@dataclass(frozen=True, kw_only=True)
class SimulatedCampaign:
    """How people judge: so many rankings of so many systems each, and how much judges' tastes differ."""

    rankings: int
    systems: int
    judges: int
    taste: float

    @property
    def expected_wins(self) -> Array:
        deviation = np.sqrt(2 * (1 + self.taste**2 + ON_SENTENCE**2))
        beats = ndtr((QUALITIES[:, None] - QUALITIES) / deviation)
        return np.asarray((beats.sum(axis=1) - 0.5) / (RANKED - 1))

    def draw(self, rng: np.random.Generator) -> Judgments:
        tastes = rng.normal(0, self.taste, (self.judges, RANKED))
        items = []
        for sentence in range(self.rankings):
            judge = int(rng.integers(self.judges))
            shown = rng.choice(RANKED, self.systems, replace=False)
            seen = QUALITIES + tastes[judge] + rng.normal(0, ON_SENTENCE, RANKED) + rng.standard_normal(RANKED)
            order = shown[np.argsort(-seen[shown])]
            placements = tuple(Placement((f"s{system:02}",), place) for place, system in enumerate(order.tolist(), 1))
            items.append(Judgment(sentence, f"judge{judge}", placements))
        return Judgments("simulated", tuple(items), first=0)


CAMPAIGNS = {
    "60 pairs of 12 systems": SimulatedCampaign(rankings=60, systems=2, judges=10, taste=0.0),
    "100 pairs of 12 systems": SimulatedCampaign(rankings=100, systems=2, judges=10, taste=0.0),
    "200 pairs of 12 systems": SimulatedCampaign(rankings=200, systems=2, judges=10, taste=0.0),
    "200 rankings of five": SimulatedCampaign(rankings=200, systems=5, judges=10, taste=0.0),
    "200 rankings of five, 10 judges with tastes": SimulatedCampaign(rankings=200, systems=5, judges=10, taste=0.5),
    "200 rankings of five, 4 judges with tastes": SimulatedCampaign(rankings=200, systems=5, judges=4, taste=0.5),
}


def simulate_rankings(experiments: int) -> Iterator[Promise | PValues]:
    """Expected Wins of a single system, drawn for each experiment, as the systems of one experiment hang together."""
    ranker = Ranker(methods=("expected-wins",), resamples=RESAMPLES)
    for place, (name, campaign) in enumerate(CAMPAIGNS.items()):
        rng = np.random.default_rng([SEED, place])
        true, covered, wrong, warned, notes = campaign.expected_wins, 0, 0, 0, tuple[str, ...]()
        for _ in range(experiments):
            ranking = rank(campaign.draw(rng), "expected-wins", ranker)
            system = int(rng.integers(RANKED))
            low, high = next(row.interval for row in ranking.systems if row.system == f"s{system:02}")
            covered += low <= true[system] <= high
            wrong += clusters_in_wrong_order(ranking.systems)
            warned, notes = warned + bool(ranking.notes), notes or ranking.notes
        held = Promise(
            claim="interval of Expected Wins",
            settings=name,
            promised=LEVEL,
            measured=covered / experiments,
            experiments=experiments,
            warned=warned / experiments,
            warnings=notes,
        )
        yield held
        yield replace(
            held,
            claim="clusters of Expected Wins in wrong order",
            promised=ALPHA,
            measured=wrong / experiments,
            at_least=False,
        )


def simulate_trueskill(experiments: int) -> Iterator[Promise]:
    name = "200 rankings of five, 4 judges with tastes"
    rng = np.random.default_rng(SEED)
    ranker = Ranker(methods=("trueskill",), runs=FEW_RUNS)
    wrong, warned, notes = 0, 0, tuple[str, ...]()
    for _ in range(experiments):
        ranking = rank(CAMPAIGNS[name].draw(rng), "trueskill", ranker, run=SERIAL)
        wrong += clusters_in_wrong_order(ranking.systems)
        warned, notes = warned + bool(ranking.notes), notes or ranking.notes
    yield Promise(
        claim="clusters of TrueSkill in wrong order",
        settings=name,
        promised=ALPHA,
        measured=wrong / experiments,
        experiments=experiments,
        at_least=False,
        warned=warned / experiments,
        warnings=notes,
    )


def clusters_in_wrong_order(standings: Sequence[Standing]) -> bool:
    """Whether a system is in a lower cluster than a system that is truly worse."""
    quality = {row.system: QUALITIES[int(row.system[1:])] for row in standings}
    return any(
        above.cluster < below.cluster and quality[above.system] < quality[below.system]
        for place, above in enumerate(standings)
        for below in standings[place + 1 :]
    )


# Coverage, where corrections follow Zipf's law: the probability of the k-th most frequent one falls as 1/k or k^-1.5.


@dataclass(frozen=True, kw_only=True)
class Zipf:
    """Sentences have from ``fewest`` to ``most`` corrections."""

    fewest: int
    most: int
    exponent: float = 1.0

    def draw(self, rng: np.random.Generator, people: int) -> list[int]:
        """How many people gave each correction of a sentence."""
        given = rng.multinomial(people, self.probabilities(int(rng.integers(self.fewest, self.most + 1))))
        return [count for count in given.tolist() if count]

    def probabilities(self, corrections: int) -> Array:
        weights = np.arange(1.0, corrections + 1) ** -self.exponent
        return np.asarray(weights / weights.sum())

    def coverage(self, references: int) -> float:
        listed = [self.probabilities(size) for size in range(self.fewest, self.most + 1)]
        return float(np.mean([p @ (1 - (1 - p) ** references) for p in listed]))


LAWS = {
    "5 to 40 corrections": Zipf(fewest=5, most=40),
    "200 corrections": Zipf(fewest=200, most=200),
    "1,000 corrections, exponent 1.5": Zipf(fewest=1000, most=1000, exponent=1.5),
}
CROWD_SENTENCES, PEOPLE = 50, 50
COVERAGE_RESAMPLING = Resampling(500)
REFERENCES = ((2, 100), (5, 300), (10, 1000))  # references a sentence, and sentences


def simulate_crowds(experiments: int) -> Iterator[Promise]:
    for name, law in LAWS.items():
        rng = np.random.default_rng(SEED)
        true = [law.coverage(1), law.coverage(20)]
        covered = np.zeros(2)
        for _ in range(experiments):
            counts = [law.draw(rng, PEOPLE) for _ in range(CROWD_SENTENCES)]
            values = np.array([[observed_coverage(given, number) for number in (1, 20)] for given in counts])
            for column in range(2):
                low, high = bootstrap_interval(SentenceMean(values[:, column]), COVERAGE_RESAMPLING)
                covered[column] += low <= true[column] <= high
        for number, hits in zip((1, 20), covered.tolist(), strict=True):
            yield Promise(
                claim="interval of a crowd's coverage",
                settings=f"{name}, {number} reference{'s' if number > 1 else ''}, {CROWD_SENTENCES} sentences",
                promised=LEVEL,
                measured=hits / experiments,
                experiments=experiments,
            )


def simulate_references(experiments: int) -> Iterator[Promise]:
    for name, law in LAWS.items():
        for references, sentences in REFERENCES:
            rng = np.random.default_rng([SEED, references])
            true, covered, warned, notes = law.coverage(references), 0, 0, list[str]()
            for _ in range(experiments):
                counts = [np.bincount(law.draw(rng, references), minlength=references + 1) for _ in range(sentences)]
                agreement = ReferenceAgreement(np.array(counts, dtype=np.float64)[:, 1:])
                low, high = coverage_interval(agreement, COVERAGE_RESAMPLING)
                covered += low <= true <= high
                said = note_few_agreements(agreement)
                warned, notes = warned + bool(said), notes or said
            yield Promise(
                claim="interval of references' coverage",
                settings=f"{name}, {references} references, {sentences:,} sentences",
                promised=LEVEL,
                measured=covered / experiments,
                experiments=experiments,
                warned=warned / experiments,
                warnings=tuple(notes),
            )
