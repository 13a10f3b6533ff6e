"""The M2 scorer (Dahlmeier and Ng 2012), as the released tool computes it, and the paper's own optimum.

Lattice: all minimal edit paths from source to hypothesis, for substitution cost 1 and again for 2, over cells
(i, j) = (source words read, hypothesis words read). Transitive arcs join adjacent arcs while they hold at most
`max_unchanged` unchanged words. An arc that matches a gold edit weighs -|E|, any other its number of steps, plus a
small epsilon if it is an edit. The cheapest path from (0, 0) to the last cell gives the system's edits.

`max_match` follows the tool to the letter (edge order, duplicate edges, float sums: all of them decide ties);
`paper_optimum` is the definition without those accidents, for tiny sentences.
"""

from collections.abc import Iterator
from functools import cache
from math import inf

Gold = tuple[int, int, list[str]]  # start, end, alternative corrections ('' deletes)
Edit = tuple[int, int, str, str]  # start, end, original, correction
Cell = tuple[int, int]
Edge = tuple[Cell, Cell]
Triple = tuple[int, int, int]  # correct, proposed, gold

EPSILON = 0.001


# --- the lattice ----------------------------------------------------------------------


def _minimal_edges(source: list[str], hypothesis: list[str], substitution_cost: int) -> tuple[set[Cell], set[Edge]]:
    """Cells and single steps on any minimal edit path (insertion and deletion cost 1, a match 0)."""
    cost: dict[Cell, int] = {(0, 0): 0}
    origins: dict[Cell, list[Cell]] = {(0, 0): []}
    for i in range(len(source) + 1):
        for j in range(len(hypothesis) + 1):
            moves: dict[Cell, int] = {}
            if i > 0 and j > 0:
                equal = source[i - 1] == hypothesis[j - 1]
                moves[i - 1, j - 1] = cost[i - 1, j - 1] + (0 if equal else substitution_cost)
            if i > 0:
                moves[i - 1, j] = cost[i - 1, j] + 1
            if j > 0:
                moves[i, j - 1] = cost[i, j - 1] + 1
            if moves:
                cost[i, j] = min(moves.values())
                origins[i, j] = [origin for origin, total in moves.items() if total == cost[i, j]]
    cells: set[Cell] = set()
    edges: set[Edge] = set()
    pending = [(len(source), len(hypothesis))]
    while pending:
        cell = pending.pop()
        if cell not in cells:
            cells.add(cell)
            edges.update((origin, cell) for origin in origins[cell])
            pending.extend(origins[cell])
    return cells, edges


class Lattice:
    """Vertices, edge list (order and duplicates matter), steps, noop flag and place of each arc, without gold edits.

    The place of an edit is where it starts and ends in the source. In version 3.2 of the tool, the insertion of word j
    before the first word of the source has the place (j, j); in the version after it, (0, 0). An arc of several steps
    starts where its first step starts, and ends where its last one ends.
    """

    def __init__(self, source: list[str], hypothesis: list[str], max_unchanged: int, version: str = "head") -> None:
        self.source = source
        self.hypothesis = hypothesis
        cells1, edges1 = _minimal_edges(source, hypothesis, 1)
        cells2, edges2 = _minimal_edges(source, hypothesis, 2)
        self.vertices: list[Cell] = sorted(cells1 | cells2)
        self.edges: list[Edge] = sorted([*edges1, *edges2])  # an edge of both graphs stands here twice
        self.steps: dict[Edge, int] = dict.fromkeys(self.edges, 1)
        self.noop: dict[Edge, bool] = {edge: self._keeps_word(edge) for edge in self.edges}
        self.place: dict[Edge, tuple[int, int]] = {edge: self._place(edge, version) for edge in self.edges}
        self._add_transitive_arcs(max_unchanged)
        self._remove_noop_arcs()

    def _keeps_word(self, edge: Edge) -> bool:
        (i0, j0), (i1, j1) = edge
        return i1 > i0 and j1 > j0 and self.source[i0] == self.hypothesis[j0]

    def _place(self, step: Edge, version: str) -> tuple[int, int]:
        (i0, j0), (i1, _) = step
        return (j0, j0) if version == "3.2" and i0 == i1 == 0 else (i0, i1)

    def _add_transitive_arcs(self, max_unchanged: int) -> None:
        unchanged = {edge: int(noop) for edge, noop in self.noop.items()}
        for k in self.vertices:
            before = [i for i in self.vertices if (i, k) in self.steps]
            after = [j for j in self.vertices if (k, j) in self.steps]
            for i in before:
                for j in after:
                    steps = self.steps[i, k] + self.steps[k, j]
                    kept = unchanged[i, k] + unchanged[k, j]
                    if steps < self.steps.get((i, j), inf) and kept <= max_unchanged:
                        self.edges.append((i, j))
                        self.steps[i, j] = steps
                        self.noop[i, j] = self.noop[i, k] and self.noop[k, j]
                        self.place[i, j] = self.place[i, k][0], self.place[k, j][1]
                        unchanged[i, j] = kept

    def _remove_noop_arcs(self) -> None:
        for edge in self.edges:  # removing while iterating skips the next edge: so does the tool, and |E| is a weight
            if self.noop[edge] and self.steps[edge] > 1:
                self.edges.remove(edge)
                del self.steps[edge]
                del self.noop[edge]

    def edit(self, edge: Edge) -> Edit:
        (i0, j0), (i1, j1) = edge
        return *self.place[edge], " ".join(self.source[i0:i1]), " ".join(self.hypothesis[j0:j1])


# --- weights, search, counts ----------------------------------------------------------


def _matches(edit: Edit, gold: Gold) -> bool:
    # The tool also compares the original words. They follow from start and end, but for edits that version 3.2
    # misplaces; these have other words than the gold edit of their place, unless both have none.
    return edit[:2] == gold[:2] and len(edit[2].split()) == gold[1] - gold[0] and edit[3] in gold[2]


def _weights(lattice: Lattice, gold: list[Gold]) -> dict[Edge, float]:
    weight: dict[Edge, float] = {edge: float(steps) for edge, steps in lattice.steps.items()}
    groups: dict[tuple[int, int], list[Edge]] = {}
    for edge in lattice.edges:
        groups.setdefault(lattice.edit(edge)[:2], []).append(edge)
    for (start, end), edges in sorted(groups.items()):
        if start == end:
            _weigh_insertions(lattice, sorted(edges), [g for g in gold if g[:2] == (start, end)], weight)
        else:
            for edge in sorted(edges):
                if any(_matches(lattice.edit(edge), g) for g in gold):
                    weight[edge] = -len(lattice.edges)
                elif not lattice.noop[edge]:
                    weight[edge] += EPSILON
    return weight


def _weigh_insertions(lattice: Lattice, edges: list[Edge], gold: list[Gold], weight: dict[Edge, float]) -> None:
    """Walk inwards from both ends, so that consecutive insertions use up gold insertions in order."""
    left, right = 0, len(edges) - 1
    gold_left, gold_right = 0, len(gold) - 1
    current = left
    while left <= right:
        edge = edges[current]
        at_left = current == left
        indices = list(range(gold_left, gold_right + 1))
        if not at_left:
            indices.reverse()
        hit = next((i for i in indices if _matches(lattice.edit(edge), gold[i])), None)
        if hit is None:
            weight[edge] += EPSILON
            if at_left:
                left += 1
                current = right
            else:
                right -= 1
                current = left
        elif at_left:
            weight[edge] = -len(lattice.edges)
            gold_left = hit + 1
            left += 1
            while left < len(edges) and edges[left][0] != edge[1]:
                weight[edges[left]] += EPSILON
                left += 1
            current = left
        else:
            weight[edge] = -len(lattice.edges)
            gold_right = hit - 1
            right -= 1
            while right >= 0 and edges[right][1] != edge[0]:
                weight[edges[right]] += EPSILON
                right -= 1
            current = right


def _cheapest_path(lattice: Lattice, weight: dict[Edge, float]) -> list[Edge]:
    """Bellman-Ford over the edges in list order; only a strict improvement changes the predecessor."""
    distance = dict.fromkeys(lattice.vertices, inf)
    distance[0, 0] = 0.0
    previous: dict[Cell, Cell] = {}
    changed = True
    while changed:  # a pass without change ends it: all further passes would change nothing
        changed = False
        for edge in lattice.edges:
            origin, target = edge
            if distance[origin] + weight[edge] < distance[target]:
                distance[target] = distance[origin] + weight[edge]
                previous[target] = origin
                changed = True
    path: list[Edge] = []
    cell = lattice.vertices[-1]
    while cell != (0, 0):
        path.append((previous[cell], cell))
        cell = previous[cell]
    return path[::-1]


def _count_correct(edits: list[Edit], gold: list[Gold]) -> int:
    correct = 0
    first = 0
    for edit in edits:
        for i in range(first, len(gold)):  # no break: one edit counts once for each equal gold edit that follows
            if _matches(edit, gold[i]):
                correct += 1
                first = i + 1
    return correct


def _squashed(text: str) -> str:
    return text.replace(" ", "").lower()


def max_match(
    source: list[str],
    hypothesis: list[str],
    golds: list[list[Gold]],
    max_unchanged: int = 2,
    ignore_whitespace_casing: bool = False,
    version: str = "head",
) -> list[tuple[int, int, int, list[Edit]]]:
    """Per annotator: correct, proposed, gold, and the system's edits from left to right."""
    lattice = Lattice(source, hypothesis, max_unchanged, version)
    results = []
    for gold in golds:
        path = _cheapest_path(lattice, _weights(lattice, gold))
        edits = [lattice.edit(edge) for edge in path if not lattice.noop[edge]]
        if ignore_whitespace_casing:
            edits = [edit for edit in edits if _squashed(edit[2]) != _squashed(edit[3])]
        results.append((_count_correct(edits, gold), len(edits), len(gold), edits))
    return results


# --- choosing the annotator -----------------------------------------------------------


def running_best(triples: list[list[Triple]], beta: float) -> list[int]:
    """Index of the annotator taken for each sentence: best F of the totals, then more correct, then fewer edits."""
    chosen: list[int] = []
    correct = proposed = gold = 0
    for annotators in triples:
        best = 0
        best_key = (-inf, -inf, -inf)
        for index, (c, p, g) in enumerate(annotators):
            weighted = beta * beta * (gold + g) + (proposed + p)
            f = (1 + beta * beta) * (correct + c) / weighted if weighted else 1.0
            key = (f, correct + c, -weighted)
            if key > best_key:  # the first of equals stays
                best, best_key = index, key
        chosen.append(best)
        correct += annotators[best][0]
        proposed += annotators[best][1]
        gold += annotators[best][2]
    return chosen


def totals(triples: list[list[Triple]], chosen: list[int]) -> Triple:
    """Sum of the chosen annotators' counts."""
    rows = [annotators[index] for annotators, index in zip(triples, chosen, strict=True)]
    return sum(row[0] for row in rows), sum(row[1] for row in rows), sum(row[2] for row in rows)


def f_score(correct: int, proposed: int, gold: int, beta: float) -> tuple[float, float, float]:
    """Precision (1 if nothing was proposed), recall (1 if there is no gold) and F (0 if both are 0)."""
    precision = correct / proposed if proposed else 1.0
    recall = correct / gold if gold else 1.0
    weighted = beta * beta * precision + recall
    return precision, recall, (1 + beta * beta) * precision * recall / weighted if weighted else 0.0


# --- the paper's definition -----------------------------------------------------------


def paper_optimum(source: list[str], hypothesis: list[str], gold: list[Gold], max_unchanged: int) -> Triple:
    """(matches, steps, edits) of the best way to cut a lattice path into arcs.

    An arc is one noop, or any run of steps with a change in it and at most `max_unchanged` unchanged words. Best is, in
    this order: most arcs that match a gold edit (each gold edit once, insertions at one place in their order), fewest
    steps in the arcs that do not match, fewest unmatched arcs that are edits. All paths and all cuts are tried, so only
    for tiny sentences. `edits` counts the unmatched edit arcs alone.
    """
    edges = _minimal_edges(source, hypothesis, 1)[1] | _minimal_edges(source, hypothesis, 2)[1]
    after: dict[Cell, list[Cell]] = {}
    for origin, target in edges:
        after.setdefault(origin, []).append(target)

    def arcs(cell: Cell) -> Iterator[tuple[Cell, int, bool]]:
        """Every arc that starts at `cell`: its end, number of steps, and whether it is an edit."""
        runs = [(cell, 0, 0)]  # end, steps, unchanged words
        while runs:
            end, steps, unchanged = runs.pop()
            if steps > unchanged and unchanged <= max_unchanged:
                yield end, steps, True
            elif steps == unchanged == 1:
                yield end, 1, False
            for target in after.get(end, []):
                moved_both = target[0] > end[0] and target[1] > end[1]
                kept = moved_both and source[end[0]] == hypothesis[end[1]]
                if unchanged + kept <= max(max_unchanged, 1):
                    runs.append((target, steps + 1, unchanged + kept))

    @cache  # costs of the rest of a path do not depend on how its beginning was cut
    def best_cost(cell: Cell, used: int) -> tuple[int, int, int]:
        """Least (-matches, steps, edits) from `cell` to the end; gold insertions before index `used` are gone."""
        if cell == (len(source), len(hypothesis)):
            return 0, 0, 0
        options = []
        for end, steps, is_edit in arcs(cell):
            edit = (cell[0], end[0], " ".join(source[cell[0] : end[0]]), " ".join(hypothesis[cell[1] : end[1]]))
            insertion = cell[0] == end[0]
            rest = best_cost(end, used if insertion else 0)
            options.append((rest[0], rest[1] + steps, rest[2] + is_edit))
            for index in range(used if insertion else 0, len(gold)):
                if _matches(edit, gold[index]):
                    rest = best_cost(end, index + 1 if insertion else 0)
                    options.append((rest[0] - 1, rest[1], rest[2]))
        return min(options)

    cost = best_cost((0, 0), 0)
    return -cost[0], cost[1], cost[2]
