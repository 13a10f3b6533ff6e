"""Parts of a corpus: merged, they give what the whole gives, bit for bit; parts that do not fit are refused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from gecval import Corpus, InputError, Metric, Resampling, compare, merge, score, verify
from gecval.metrics.registry import FunctionMetric
from gecval.models.model_files import ModelFiles
from gecval.studies.scores.preparation import needs_extractor
from stand_ins import stand_in
from test_laws import every_metric

SOURCES = ["He go to home now .", "She like apple .", "Fine .", "I has two cat .", "Well , he goed .", "a b c d e"]
REFERENCES = [
    ["He goes home now .", "He went home ."],
    ["She likes apples .", "She likes an apple ."],
    ["Fine ."],
    ["I have two cats .", "I have cats .", "I own two cats ."],
    ["Well , he went ."],
    ["a b c d e f"],
]
OUTPUTS = {
    "old": ["He go home now .", "She like apples .", "Fine .", "I has two cats .", "Well , he went .", "a b"],
    "new": ["He went home now .", "She likes apple .", "Fine !", "I have two cat .", "Well he goed .", "a b c d e f"],
}
FEW = Resampling(40)
EDGES = [0, 2, 3, 6]


def corpus_of(start: int, stop: int) -> Corpus:
    return Corpus.from_texts(SOURCES[start:stop], REFERENCES[start:stop], language="en")


def outputs_of(start: int, stop: int) -> dict[str, list[str]]:
    return {name: texts[start:stop] for name, texts in OUTPUTS.items()}


def save(folder: Path, metrics: list, *, edges: list[int] = EDGES, **settings) -> list[Path]:
    paths = [folder / f"part-{number}.stats" for number in range(1, len(edges))]
    for number, (start, stop) in enumerate(pairwise(edges), start=1):
        shard = (number, len(paths))
        scores = score(corpus_of(start, stop), outputs_of(start, stop), metrics, **settings)
        scores.save_part(paths[number - 1], shard=shard)
    return paths


def without_data(signature: str) -> list[str]:
    return [field for field in signature.split("|") if not field.startswith(("source:", "references:", "pool-hash:"))]


def quick(listed: object) -> bool:
    return getattr(listed, "name", "") not in ("lt", "grammaticality", "uot")  # they load for ten seconds


@pytest.mark.parametrize("aggregate", ["corpus", "mean"])
@pytest.mark.parametrize("scored", [*filter(quick, every_metric())], ids=repr)
def test_merged_parts_are_the_whole(scored: Metric, aggregate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A law over all metrics. Those whose rows depend on the whole corpus are refused when a part is saved."""
    stand_in(monkeypatch)
    monkeypatch.setattr("gecval.models.model_files._on_hub", lambda model: ModelFiles(model, None, "revision"))
    how = {"aggregate": aggregate, "edits": "plain" if needs_extractor(scored) else None}
    if scored.whole_corpus:
        with pytest.raises(InputError, match="cannot be computed from parts"):
            save(tmp_path, [scored], **how)
        return
    paths = save(tmp_path, [scored], **how)
    whole = score(corpus_of(0, 6), OUTPUTS, [scored], confidence=FEW, **how)
    old = corpus_of(0, 6).system("old", OUTPUTS["old"])
    tests = compare(corpus_of(0, 6), old, {"new": OUTPUTS["new"]}, [scored], confidence=FEW, **how)
    merged = merge(paths[::-1], confidence=FEW, metrics=[scored])  # in any order
    assert (merged.shards, merged.sentences) == (3, 6)
    for ours, theirs in zip(merged.scores, whole, strict=True):
        assert without_data(ours.signature) == without_data(theirs.signature)
        assert replace(ours, signature="", notes=()) == replace(theirs, signature="", notes=())
    for ours, theirs in zip(merged.comparisons, tests, strict=True):
        assert without_data(ours.signature) == without_data(theirs.signature)
        assert replace(ours, signature="", notes=()) == replace(theirs, signature="", notes=())


@pytest.mark.parametrize("cuts", [[], [1], [5], [3], [1, 2, 3, 4, 5], [2, 4]])
def test_any_cut_gives_the_same(tmp_path: Path, cuts: list[int]) -> None:
    paths = save(tmp_path, ["m2", "gleu"], edges=[0, *cuts, 6], edits="plain")
    merged = merge(paths, confidence=Resampling(5))
    whole = score(corpus_of(0, 6), OUTPUTS, ["m2", "gleu"], edits="plain", confidence=Resampling(5))
    assert [(ours.score, ours.interval) for ours in merged.scores] == [(one.score, one.interval) for one in whole]
    if not cuts:
        assert [ours.signature for ours in merged.scores] == [one.signature for one in whole]


def test_the_order_of_parts_counts(tmp_path: Path) -> None:
    """GLEU draws references by the place of a sentence: parts under other numbers are another corpus."""
    right = merge(save(tmp_path, ["gleu"])).scores[0].score
    for path, number in ((tmp_path / "part-1.stats", 3), (tmp_path / "part-3.stats", 1)):
        changed(path, 0, shard=[number, 3])
    wrong = merge(sorted(tmp_path.glob("*.stats"))).scores[0].score
    assert wrong != right
    reordered = [3, 4, 5, 2, 0, 1]
    corpus = Corpus.from_texts([SOURCES[i] for i in reordered], [REFERENCES[i] for i in reordered])
    assert wrong == score(corpus, {"old": [OUTPUTS["old"][i] for i in reordered]}, ["gleu"])[0].score


def test_what_the_merged_signature_says(tmp_path: Path) -> None:
    merged = merge(save(tmp_path, ["gleu"]), confidence=FEW)
    fields = merged.scores[0].signature.split("|")
    assert "refs:1-3" in fields
    assert [field for field in fields if "parts" in field] == [fields[5], fields[8]]
    for name, place in (("source", 5), ("references", 8)):
        parts = [path.read_text().split(f"{name}:")[1].partition("|")[0] for path in sorted(tmp_path.glob("*.stats"))]
        digest = hashlib.sha256("\n".join(f"{name}:{part}" for part in parts).encode()).hexdigest()
        assert fields[place] == f"{name}:3-parts-{digest[:8]}"
    assert fields[-2:] == ["seed:1", fields[-1]]
    assert merge(save(tmp_path, ["gleu"])).scores[0].interval is None
    assert merge(save(tmp_path, ["gleu"])).comparisons == ()


def test_baselines_and_corrections(tmp_path: Path) -> None:
    paths = save(tmp_path, ["ld", "gleu"])
    merged = merge(paths, confidence=FEW, baseline="new", correction="holm")
    assert [(row.metric, row.baseline, row.system) for row in merged.comparisons] == [
        ("ld", "new", "old"),
        ("gleu", "new", "old"),
    ]
    assert {row.correction for row in merged.comparisons} == {"holm"}
    with pytest.raises(InputError, match="there is no system 'x'; there are old, new"):
        merge(paths, confidence=FEW, baseline="x")


def test_a_part_can_be_verified(tmp_path: Path) -> None:
    paths = save(tmp_path, ["gleu"])
    assert verify(paths[1]).same
    paths[1].write_text(paths[1].read_text().replace('"shard": [2, 3]', '"shard": [3, 3]'))
    assert verify(paths[1]).same  # the number is what its owner says
    assert "apple" not in paths[0].read_text()


def changed(path: Path, line: int, **fields: object) -> None:
    lines = path.read_text().split("\n")
    lines[line] = json.dumps({**json.loads(lines[line]), **fields})
    path.write_text("\n".join(lines))


def test_parts_that_do_not_fit(tmp_path: Path) -> None:
    one, two, three = paths = save(tmp_path, ["gleu"])
    other = tmp_path / "other"
    other.mkdir()

    def refused(files: list[Path]) -> str:
        with pytest.raises(InputError) as refusal:
            merge(files)
        return str(refusal.value)

    assert refused([one, three]) == "part 2 of 3 is missing"
    assert refused([three]) == "part 1, 2 of 3 are missing"
    assert refused([one, two, two, three]) == f"{two} and {two} are both part 2 of 3"
    for count, listed in ((6, "2, 3, 4, 5, 6"), (7, "2, 3, 4, 5, 6, …")):
        of_many = tmp_path / "of many"
        of_many.write_text(one.read_text().replace('"shard": [1, 3]', f'"shard": [1, {count}]'))
        assert refused([of_many]) == f"part {listed} of {count} are missing"
    copy = tmp_path / "copy"
    copy.write_text(two.read_text().replace('"shard": [2, 3]', '"shard": [3, 3]'))
    assert refused([one, two, copy]) == f"{two} and {copy} hold the same sentences, under two numbers"
    more = save(other, ["gleu"], edges=[0, 1, 2, 3, 6])
    assert refused([one, two, more[2]]) == f"{more[2]} is one of 4 parts, {one} one of 3"
    passport = tmp_path / "passport"
    score(corpus_of(0, 2), outputs_of(0, 2), ["gleu"]).save_passport(passport)
    assert refused([passport]) == f"{passport} does not say which part it is: save it as one"
    for metrics, why in (
        (["gleu(n=3)"], "has other systems or metrics"),
        (["gleu", "ld"], "has other systems or metrics"),
    ):
        files = save(other, metrics)
        assert why in refused([one, two, files[2]])
    mean = save(other, ["gleu"], aggregate="mean")
    assert "has aggregate mean" in refused([one, two, mean[2]])
    changed(three, 0, gecval="99")
    assert f"{three} has gecval 99, {one} " in refused(paths)
    plain, errant = save(other, ["m2"], edits="plain"), other / "x.stats"
    errant.write_text(plain[2].read_text().replace("|plain|", "|errant:9|"))
    said = f"{errant}: m2 was computed in another way than in {plain[0]}: errant:9"
    assert refused([plain[0], plain[1], errant]) == said
    for shard in ([0, 3], [4, 3], [1], "1/3", [True, 3], [1, 10**9]):
        changed(one, 0, shard=shard)
        assert f"{one} is no passport" in refused([one])
    with pytest.raises(InputError, match="there is no part to merge"):
        merge([])


def test_signatures_that_somebody_changed(tmp_path: Path) -> None:
    corpus, outputs = Corpus.from_texts(["a b", "c d"], [["a c"], ["c e"]]), {"mine": ["a c", "c d"]}
    parts = [tmp_path / "1", tmp_path / "2"]
    for number, path in enumerate(parts, start=1):
        part = Corpus(corpus.sources[number - 1 : number], corpus.references[number - 1 : number])
        score(part, {"mine": outputs["mine"][number - 1 : number]}, ["bleu"]).save_part(path, shard=(number, 2))
    whole = parts[1].read_text()
    for changed in ("|refs:x|", "|", "|refs:1-|"):
        parts[1].write_text(whole.replace("|refs:1|", changed))
        with pytest.raises(InputError, match="bleu was computed in another way"):
            merge(parts)
    nameless = tmp_path / "nameless"
    score(corpus, outputs, ["bleu"]).save_part(nameless, shard=(1, 1))
    nameless.write_text(nameless.read_text().replace("|refs:1|", "|refs:1)|"))
    with pytest.raises(InputError, match="names no source"):
        merge([nameless])


def test_what_cannot_be_a_part(tmp_path: Path) -> None:
    corpus, path = corpus_of(0, 2), tmp_path / "p"
    for settings, shard, why in (
        ({"metrics": ["cleme"]}, (1, 1), "cleme cannot be computed from parts: it takes a mean over all chunks"),
        ({"metrics": ["ld"], "aggregate": "trueskill"}, (1, 1), "trueskill cannot be computed from parts"),
        ({"metrics": ["ld"], "confidence": FEW}, (1, 1), "a part has no interval"),
        ({"metrics": ["ld"], "clusters": True}, (1, 1), "a part has no interval"),
        ({"metrics": ["ld"]}, (3, 2), "there is no part 3 of 2"),
        ({"metrics": ["ld"]}, (0, 2), "there is no part 0 of 2"),
    ):
        with pytest.raises(InputError, match=why):
            score(corpus, outputs_of(0, 2), **settings).save_part(path, shard=shard)
        assert not path.exists()


def test_metrics_of_one_s_own_are_named_again(tmp_path: Path) -> None:
    """A file of statistics names no code that is run; its owner does."""
    mine = FunctionMetric(lambda source, hypothesis, references: len(hypothesis), "mine:length")
    paths = save(tmp_path, [mine])
    with pytest.raises(InputError, match="'mine:length' is no metric of gecval's own"):
        merge(paths)
    assert merge(paths, metrics=[mine]).scores[0].score == sum(map(len, OUTPUTS["old"])) / 6
    with pytest.raises(InputError, match="no part has ld"):
        merge(paths, metrics=[mine, "ld"])


def test_a_note_where_no_correction_can_help(tmp_path: Path) -> None:
    corpus = corpus_of(0, 6)
    many = {str(number): OUTPUTS["old"] for number in range(4)}
    score(corpus, many, ["ld"]).save_part(tmp_path / "p")
    few = replace(FEW, flips=50)
    assert "no corrected p can be below" in merge([tmp_path / "p"], confidence=few, correction="holm").notes[0]
