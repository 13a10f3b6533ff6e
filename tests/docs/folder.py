"""The folder that a page is run in: the sample corpus, and links to the real files under the names that pages use."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from docs.pages import Step

# The names that pages use, and where these files lie in the folder of real data.
REAL = {
    "systems": "conll14/systems",
    "source.txt": "conll14/source.txt",
    "official-2014.combined.m2": "conll14/official-2014.combined.m2",
    "official-2014.0.m2": "conll14/official-2014.0.m2",
    "BN.m2": "bryant-ng-2015/BN.m2",
    **{name: f"references/{name}" for name in ("NUCLEA", "NUCLEB", "NUCLE.ieval.xml.gz")},
    **{f"BN{number}": f"references/BN{number}" for number in range(1, 11)},
    "gec_corrections.tsv": "ibgec/gec_corrections.tsv",
    "gug_annotations.tsv": "gug/gug_annotations.tsv",
    "gjg15": "gjg15",
    "nspt15": "nspt15",
    "conll14": "conll14",
    "estgec-l1.txt": "multi/et/estgec-l1/test_m2.txt",
    "estgec-l2.txt": "multi/et/estgec-l2/source_gold_test.txt",
    "nelb.tok": "multi/et/systems/nelb.tok",
    **{f"es-{name}.md": f"multi/multigec-format/es-cowsl2h-{name}-sample.md" for name in ("orig", "ref1", "ref2")},
    "MuCGEC_dev.txt": "multi/zh/mucgec-dev/MuCGEC_dev.txt",
    "example_pred_dev.txt": "multi/zh/mucgec-dev/example_pred_dev.txt",
    "cherrant-data": "multi/zh/resources",
    "it-src.conllu": "multi/it/valico-ud/source.conllu",
    "it-cor.conllu": "multi/it/valico-ud/corrected.conllu",
    "valid.m2": "multi/uk/unlp-2023/gec-fluency/valid.m2",
    "mistral-7b": "multi/uk/mistral-7b",
    "fm-test.m2": "multi/de/falko-merlin/fm-test.m2",
}


def fill(folder: Path, data: Path | None) -> None:
    """Write the sample corpus into a folder, and link to what there is of the real data."""
    for path in (files("gecval") / "sample").iterdir():
        if path.name.endswith((".m2", ".txt")):
            (folder / path.name).write_bytes(path.read_bytes())
    for name, place in REAL.items() if data else ():
        if data and (data / place).exists():
            (folder / name).symlink_to(data / place)


def missing(step: Step, folder: Path) -> list[str]:
    """The real files that a command names and the folder lacks."""
    code = step.code if step.kind == "command" else ""  # Python calls its variables what it likes
    named = [name for name in REAL if re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w.-])", code)]
    return [name for name in named if not (folder / name).exists()]
