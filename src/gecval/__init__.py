"""gecval scores grammatical error correction and says how far each score can be trusted.

>>> corpus = Corpus.from_texts(["He go home ."], [["He goes home .", "He went home ."]])
>>> mine = corpus.system("mine", ["He went home ."])
>>> score(corpus, [mine], [metric("accuracy")])[0].score
1.0
"""

from importlib.metadata import version

from gecval.corpus import Corpus, Reference, System
from gecval.edit import Edit
from gecval.errors import InputError
from gecval.formats import load_corpus, load_systems
from gecval.metrics import Metric, Statistics, metric, metric_names
from gecval.stats import Resampling
from gecval.studies import compare, score

__version__ = version("gecval")
__all__ = [
    "Corpus",
    "Edit",
    "InputError",
    "Metric",
    "Reference",
    "Resampling",
    "Statistics",
    "System",
    "compare",
    "load_corpus",
    "load_systems",
    "metric",
    "metric_names",
    "score",
]
