"""M² as Dahlmeier & Ng 2012 write it (§2), not as their tool computes it.

§2.1  Fill the Levenshtein matrix with unit costs. The lattice has the cells and steps of all shortest paths. Add
      transitive edges: adjacent edges joined, with at most u unchanged words and at least one change. An edge costs the
      sum of its steps.
§2.2  An edge that matches a gold edit costs -(u + 1)·|E|. To break ties, all others cost ζ more. Bellman-Ford finds the
      cheapest path.
§2.3  correct = edits of the path that match a gold edit; proposed = edits of the path; gold = gold edits.

Two things are read into it. ζ is for edits, not for kept words: with ζ on kept words, edits would swallow them without
need (AMU would have 1,313 edits on CoNLL-14 instead of 1,199). And where several words are inserted at one place, they
match the gold insertions there in their order, each once, as in the tool: else one gold edit could make recall pass 1.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import inf

Gold = tuple[int, int, list[str]]  # start, end, alternative corrections ('' deletes)
Cell = tuple[int, int]  # words of the source and of the hypothesis read
Edge = tuple[Cell, Cell]
Vertex = tuple[Cell, int]  # with the number of gold insertions used up at this place of the source
Arc = tuple[Vertex, Vertex, Fraction, bool]  # from, to, cost, whether it is an edit


def levenshtein_matrix(source: list[str], hypothesis: list[str]) -> list[list[int]]:
    """Figure 1."""
    cost = [[i + j for j in range(len(hypothesis) + 1)] for i in range(len(source) + 1)]
    for i, word in enumerate(source, start=1):
        for j, other in enumerate(hypothesis, start=1):
            cost[i][j] = min(cost[i - 1][j - 1] + (word != other), cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    return cost


class PaperLattice:
    """Figure 2, without the weights of an annotation. ``steps`` has the cost of each edge, ``kept`` the noops."""

    def __init__(self, source: list[str], hypothesis: list[str], max_unchanged: int) -> None:
        self.source, self.hypothesis, self.max_unchanged = source, hypothesis, max_unchanged
        self.end = (len(source), len(hypothesis))
        single = set(self._shortest_paths())
        self.kept = {(a, b) for a, b in single if a[0] < b[0] and a[1] < b[1] and source[a[0]] == hypothesis[a[1]]}
        self.steps: dict[Edge, int] = dict.fromkeys(single, 1)
        following: dict[Cell, list[Cell]] = {}
        for a, b in single:
            following.setdefault(a, []).append(b)
        for start in following:
            for end, steps in self._joined(start, following):
                if steps < self.steps.get((start, end), inf):
                    self.steps[start, end] = steps

    def _shortest_paths(self) -> Iterator[Edge]:
        """All steps of all shortest paths, backwards from the last cell."""
        cost = levenshtein_matrix(self.source, self.hypothesis)
        pending, seen = [self.end], {self.end}
        while pending:
            i, j = pending.pop()
            for a, b in ((i - 1, j - 1), (i - 1, j), (i, j - 1)):
                if min(a, b) < 0:
                    continue
                step = int(not (a < i and b < j and self.source[a] == self.hypothesis[b]))
                if cost[a][b] + step == cost[i][j]:
                    yield (a, b), (i, j)
                    if (a, b) not in seen:
                        seen.add((a, b))
                        pending.append((a, b))

    def _joined(self, start: Cell, following: dict[Cell, list[Cell]]) -> Iterator[tuple[Cell, int]]:
        """The ends of edges with two or more steps from here, and how many these are."""
        runs = {(start, 0, False)}  # end, unchanged words, whether something changed
        steps = 0
        while runs:
            steps += 1
            runs = {
                (b, unchanged + ((a, b) in self.kept), changed or (a, b) not in self.kept)
                for a, unchanged, changed in runs
                for b in following.get(a, [])
            }
            runs = {run for run in runs if run[1] <= self.max_unchanged}
            yield from ((end, steps) for end, _, changed in runs if changed and steps > 1)


def max_match_of_paper(
    source: list[str], hypothesis: list[str], golds: list[list[Gold]], max_unchanged: int = 2
) -> list[tuple[int, int, int]]:
    """Per annotator: correct, proposed, gold."""
    lattice = PaperLattice(source, hypothesis, max_unchanged)
    results = []
    for gold in golds:
        path = _cheapest_path(lattice, gold)
        edits = [arc for arc in path if arc[3]]
        results.append((sum(cost < 0 for _, _, cost, _ in edits), len(edits), len(gold)))
    return results


def _weighted_arcs(lattice: PaperLattice, gold: list[Gold]) -> Iterator[Arc]:
    matched = Fraction(-(lattice.max_unchanged + 1) * len(lattice.steps))
    zeta = Fraction(1, len(lattice.source) + len(lattice.hypothesis) + 1)  # all of a path are less than one step
    insertions = [sum(g[0] == g[1] == place for g in gold) for place in range(len(lattice.source) + 1)]
    for (a, b), steps in lattice.steps.items():
        is_edit = (a, b) not in lattice.kept
        inserts = a[0] == b[0]
        correction = " ".join(lattice.hypothesis[a[1] : b[1]])
        for used in range(insertions[a[0]] + 1):
            yield (a, used), (b, used if inserts else 0), steps + zeta * is_edit, is_edit
            if not is_edit:
                continue
            here = [g for g in gold if g[:2] == (a[0], b[0])]
            for number, (_, _, corrections) in enumerate(here, start=1):
                if correction in corrections and (number > used or not inserts):
                    yield (a, used), (b, number if inserts else 0), matched, True


def _cheapest_path(lattice: PaperLattice, gold: list[Gold]) -> list[Arc]:
    """Bellman-Ford."""
    arcs = sorted(_weighted_arcs(lattice, gold))
    distance: dict[Vertex, Fraction] = {((0, 0), 0): Fraction(0)}
    last: dict[Vertex, Arc] = {}
    changed = True
    while changed:
        changed = False
        for arc in arcs:
            start, end, cost, _ = arc
            if start in distance and (end not in distance or distance[start] + cost < distance[end]):
                distance[end] = distance[start] + cost
                last[end] = arc
                changed = True
    vertex = min((v for v in distance if v[0] == lattice.end), key=distance.__getitem__)
    path: list[Arc] = []
    while vertex in last:
        path.append(last[vertex])
        vertex = path[-1][0]
    return path[::-1]
