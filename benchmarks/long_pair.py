"""Score two unrelated sentences of 500 tokens, and print seconds and counts; ``unrelated.py`` runs this on its own.

The argument is the number of gold edits; each has a correction that stands in the hypothesis, so some can match.
"""

import json
import random
import sys
import time

from gecval.corpus import Corpus
from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference
from gecval.metrics.m2 import M2

LENGTH = 500


def main(golds: int) -> None:
    rng = random.Random(1)
    # Frequent words are shared, as between any two English sentences; the rest differ.
    source = [rng.choice(["the", "of", "a", ","]) if rng.random() < 0.2 else f"s{i}" for i in range(LENGTH)]
    hypothesis = [rng.choice(["the", "of", "a", ","]) if rng.random() < 0.2 else f"h{i}" for i in range(LENGTH)]
    places = sorted(rng.sample(range(LENGTH - 2), golds))
    edits = tuple(Edit(i, i + 1 + i % 2, (" ".join(hypothesis[i : i + 1 + i % 3]),)) for i in places)
    corpus = Corpus([" ".join(source)], [[Reference(edits=edits)]])
    system = corpus.system("unrelated", [" ".join(hypothesis)])
    start = time.perf_counter()
    [counts] = M2().statistics(corpus, system).rows.tolist()
    print(json.dumps([time.perf_counter() - start, ", ".join(f"{count:.0f}" for count in counts)]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
