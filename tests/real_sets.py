"""Every real corpus with all its outputs: what checks of whole files are measured on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gecval import Corpus, load_corpus, load_systems
from gecval.corpus import System
from gecval.errors import InputError


@dataclass(frozen=True)
class RealSet:
    """A corpus and the outputs of systems for it."""

    name: str
    corpus: Corpus
    systems: list[System]

    def references(self) -> Iterator[tuple[str, list[str], list[str]]]:
        """The texts of each annotator that has any, with their sources."""
        texts: dict[str, list[tuple[str, str]]] = {}
        for i, listed in enumerate(self.corpus.references):
            for reference, text in zip(listed, self.corpus.texts_of(i), strict=True):
                texts.setdefault(reference.annotator, []).append((self.corpus.sources[i], text))
        for annotator, pairs in texts.items():
            yield annotator, [text for _, text in pairs], [source for source, _ in pairs]


CONLL = [
    *(f"references/{name}" for name in ["NUCLEA", "NUCLEB", *(f"BN{n}" for n in range(1, 11))]),
    *(f"sakaguchi-2016/{who}_{how}{n}" for who in ("expert", "turker") for how in ("fluency", "minimal") for n in "AB"),
]
TURK = [f"8turkers.tok.turk.{n}" for n in range(8)]
# Of each set: its source (None where the first reference brings it), its references, and outputs or folders of them.
SETS: dict[str, tuple[str | None, list[str], list[str]]] = {
    "CoNLL-14": ("conll14/source.txt", CONLL, ["conll14/systems", "conll14/systems-later"]),
    "CoNLL-14, official": (None, ["conll14/official-2014.combined.m2"], ["conll14/systems-repaired"]),
    "CoNLL-14, Bryant & Ng": (None, ["bryant-ng-2015/BN.m2"], []),
    "SEEDA": (None, ["conll14/official-2014.combined.m2"], ["seeda/outputs"]),
    "JFLEG": ("jfleg-dev/dev.src", [f"jfleg-dev/dev.ref{n}" for n in range(4)], ["jfleg-dev/dev.spellchecked.src"]),
    "TurkCorpus test": (
        "turkcorpus/test.8turkers.tok.norm",
        [f"turkcorpus/test.{name}" for name in TURK],
        ["turkcorpus/test.8turkers.tok.simp", "turkcorpus/systems", "turkcorpus/nts-12best"],
    ),
    "TurkCorpus tune": (
        "turkcorpus/tune.8turkers.tok.norm",
        [f"turkcorpus/tune.{name}" for name in TURK],
        ["turkcorpus/tune.8turkers.tok.simp"],
    ),
    "ZAEBUC dev": (None, ["multi/ar/zaebuc/zaebuc_dev.m2"], ["multi/ar/systems/dev"]),
    "ZAEBUC test": (None, ["multi/ar/zaebuc/zaebuc_test.m2"], ["multi/ar/systems/test"]),
    "ZAEBUC test, no punctuation": (None, ["multi/ar/zaebuc/zaebuc_test.nopnx.m2"], ["multi/ar/systems/test.nopnx"]),
    "ZAEBUC dev, no punctuation": (None, ["multi/ar/zaebuc/zaebuc_dev.nopnx.m2"], []),
    "GECCC sentences": (None, ["multi/cs/geccc-test/sentence.m2.gz"], ["multi/cs/systems"]),
    "GECCC paragraphs": (None, ["multi/cs/geccc-test/paragraph.m2.gz"], []),
    "Falko-MERLIN test": (None, ["multi/de/falko-merlin/fm-test.m2"], ["multi/de/systems"]),
    "Falko-MERLIN dev": (None, ["multi/de/falko-merlin/fm-dev.m2"], []),
    "Greek Native Corpus": ("multi/el/gnc/orig.txt", ["multi/el/gnc/corr.txt"], []),
    "EstGEC-L1": (None, ["multi/et/estgec-l1/test_m2.txt"], []),
    "EstGEC-L2": (None, ["multi/et/estgec-l2/source_gold_test.txt"], ["multi/et/systems"]),
    "UA-GEC, gec-only": (None, ["multi/uk/ua-gec/gec-only.test.m2"], []),
    "UA-GEC, fluency": (None, ["multi/uk/ua-gec/gec-fluency.test.m2"], []),
    "UNLP-2023, gec-only": (
        None,
        ["multi/uk/unlp-2023/gec-only/valid.m2"],
        ["multi/uk/unlp-2023/gec-only/hyp", "multi/uk/unlp-2023/gec-only/valid.tgt.tok"],
    ),
    "UNLP-2023, fluency": (
        None,
        ["multi/uk/unlp-2023/gec-fluency/valid.m2"],
        ["multi/uk/unlp-2023/gec-fluency/hyp", "multi/uk/mistral-7b"],
    ),
    "UNLP-2023, running text": (
        "multi/uk/unlp-2023/gec-fluency/valid.src.txt",
        ["multi/uk/unlp-2023/gec-fluency/valid.tgt.txt"],
        [],
    ),
    "MuCGEC dev": (None, ["multi/zh/mucgec-dev/MuCGEC_dev.txt"], ["multi/zh/mucgec-dev/example_pred_dev.txt"]),
    "NLPCC-2018, characters": (None, ["multi/zh/nlpcc2018/nlpcc2018_official.ref.m2.char"], []),
    "NLPCC-2018, words": (None, ["multi/zh/nlpcc2018/nlpcc2018_official.ref.m2.word"], []),
    "ChERRANT's demo": (None, ["multi/zh/cherrant-demo/demo.ref.m2.char"], ["multi/zh/cherrant-demo/demo.hyp"]),
    "COWS-L2H": (
        "multi/multigec-format/es-cowsl2h-orig-sample.md",
        [f"multi/multigec-format/es-cowsl2h-ref{n}-sample.md" for n in (1, 2)],
        [],
    ),
    "UA-GEC essays": (
        "multi/multigec-format/uk-ua_gec-orig-sample.md",
        [f"multi/multigec-format/uk-ua_gec-ref{n}-sample.md" for n in (1, 2, 3, 4)],
        [],
    ),
}
PARSED = {"Valico-UD": "multi/it/valico-ud", "SweLL-UD": "multi/sv/swell-ud"}


def read_sets(data: Path) -> Iterator[RealSet]:
    """Every set whose files are all there."""
    for name, (source, references, outputs) in SETS.items():
        paths = [data / path for path in ([source] if source else []) + references + outputs]
        if all(path.exists() for path in paths):
            yield _read(name, data, source, references, outputs)
    for name, folder in PARSED.items():
        if (data / folder).is_dir():
            sources, corrected = (parsed_words(data / folder / f"{side}.conllu") for side in ("source", "corrected"))
            yield RealSet(name, Corpus.from_texts(sources, [[text] for text in corrected]), [])


def _read(name: str, data: Path, source: str | None, references: list[str], outputs: list[str]) -> RealSet:
    files = [data / path for path in references]
    try:
        corpus = load_corpus(data / source if source else None, files)
    except InputError:
        corpus = load_corpus(data / source if source else None, files, lenient=True)
    systems = [
        system
        for output in outputs
        for file in (sorted((data / output).iterdir()) if (data / output).is_dir() else [data / output])
        if not file.name.startswith("README")
        for system in _outputs(file, corpus)
    ]
    return RealSet(name, corpus, systems)


def _outputs(file: Path, corpus: Corpus) -> list[System]:
    try:
        return load_systems(file, corpus)
    except InputError as error:
        if "realign" not in error.parameters:
            raise
        return load_systems(file, corpus, realign=True)


def parsed_words(path: Path) -> list[str]:
    """The words of each sentence of a CoNLL-U file."""
    blocks = path.read_text("utf-8").strip("\n").split("\n\n")
    rows = [[line.split("\t") for line in block.split("\n") if line[0] != "#"] for block in blocks]
    return [" ".join(row[1] for row in sentence if row[0].isdigit()) for sentence in rows]
