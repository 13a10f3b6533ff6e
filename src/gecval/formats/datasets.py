"""The public data sets that studies and reproductions read: by name, from the user's own copy.

None of them is shipped: most state no licence. They lie in one folder, $GECVAL_DATA (default: ``../shared/data``).
"""

from __future__ import annotations

import os
from pathlib import Path

from gecval.errors import InputError

DATASETS = {
    "conll14": "CoNLL-2014 test set, official annotations and system outputs: the shared task's release 3.2",
    "bryant-ng-2015": "ten annotations of the CoNLL-2014 test set: Bryant & Ng 2015",
    "references": "plain-text references of CoNLL-2014 (NUCLE, Bryant & Ng): cnap/grammaticality-metrics on GitHub",
    "sakaguchi-2016": "eight references of CoNLL-2014, minimal and fluent: keisks/reassess-gec on GitHub",
    "gjg15": "human rankings of Grundkiewicz et al. 2015: grammatical/evaluation on GitHub",
    "nspt15": "human rankings of Napoles et al. 2015: cnap/gec-ranking on GitHub",
    "seeda": "SEEDA human rankings: tmu-nlp/SEEDA on GitHub",
    "gug": "GUG sentences with grammaticality judgments: EducationalTestingService/gug-data on GitHub",
    "ibgec": "crowd corrections of the low-coverage paper: borgr/IBGEC on GitHub",
    "jfleg-dev": "JFLEG: keisks/jfleg on GitHub",
    "turkcorpus": "TurkCorpus for simplification: cocoxu/simplification on GitHub",
}


def dataset(name: str) -> Path:
    """The folder of a data set, or one line that says where to get it."""
    folder = Path(os.environ.get("GECVAL_DATA", "../shared/data"))
    if not (folder / name).is_dir():
        raise InputError(f"no folder {folder / name} ({DATASETS[name]}); set GECVAL_DATA to the folder that holds it")
    return folder / name
