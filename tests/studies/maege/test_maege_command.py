"""gecval maege as typed."""

import json

import numpy as np
import pytest

from gecval.sample import load_sample


@pytest.fixture
def learners(folder):
    from importlib.resources import files

    (folder / "learners.m2").write_text((files("gecval") / "sample" / "learners.m2").read_text())
    return folder


def test_tables(gecval, learners):
    run = "maege learners.m2 -r learners.m2 -m gleu -m ld --replicates 3 --by-type --format json"
    status, out, err = gecval(run)
    assert status == 0
    assert "note: no p for differences of metrics: one below 0.05 needs 40 replicates or more\n" in err
    printed = json.loads(out)
    assert (printed["schema"], printed["level"], printed["replicates"]) == ("gecval.maege/1", 0.95, 3)
    assert {row["metric"] for row in printed["metrics"]} == {"gleu", "ld"}
    for row in printed["metrics"]:
        for figure in ("corpus_spearman", "corpus_pearson", "sentence_tau", "sentence_pearson"):
            low, high = row[figure]["interval"]
            assert -1 <= low <= row[figure]["mean"] <= high <= 1
    assert [row["figure"] for row in printed["differences"]] == ["corpus_spearman", "sentence_tau"]
    assert [row["p"] for row in printed["differences"]] == [None, None]
    assert {"R:SPELL", "M:DET"} <= {row["type"] for row in printed["types"]}
    assert gecval(run)[1] == out  # the same seed, the same figures


def test_options_change_what_they_say(gecval, learners):
    run = "maege learners.m2 -r learners.m2 -m ld --format json"
    default, original, kept, concordant, several, few, code, seeded = (
        gecval(f"{run} {option}").json
        for option in (
            "", "--source original", "--keep-unchanged", "--ties concordant", "--chains 2", "--models 0,2,4",
            "--preset code", "--seed 2",
        )
    )  # fmt: skip
    taus = [printed["metrics"][0]["sentence_tau"]["mean"] for printed in (default, original, concordant, code, seeded)]
    assert taus[1] < -0.8 < taus[0] < taus[2]
    assert len(set(taus)) == 5
    edited = sum(all(reference.edits for reference in listed) for listed in load_sample()[0].references)
    assert default["sentences"] == edited < kept["sentences"]
    assert sum(row["sentences"] for row in several["originals"]) > sum(row["sentences"] for row in default["originals"])
    assert [row["model"] for row in few["corpora"]] == [0, 2, 4]


SAME_PEOPLE = (
    "gecval: note: {0} of {0} gold corrections are among the references, so metrics look better than they are; "
    "give references by other annotators\n"
)


def test_edits_are_found_by_the_rule_or_as_asked(gecval, learners):
    run = "maege learners.m2 -r learners.m2 -m m2"
    chosen, plain = gecval(run), gecval(f"{run} --edits plain")
    assert (chosen.status, plain.status, plain.err) == (0, 0, SAME_PEOPLE.format(187))
    assert "note: edits are found by " in chosen.err
    assert "|seed:1|plain|gecval:" in plain.out


def test_plots(gecval, learners):
    pytest.importorskip("vl_convert", reason="needs the extra [report]")
    plots = " ".join(f"--plot {kind} {kind}.svg" for kind in ("types", "corpora", "originals", "lattice"))
    assert gecval(f"maege learners.m2 -r learners.m2 -m gleu {plots}")[0] == 0
    for kind, text in (("types", "R:SPELL"), ("corpora", "GLEU"), ("originals", "GLEU"), ("lattice", "edits applied")):
        assert text in (learners / f"{kind}.svg").read_text()


ADDED = "A 0 0|||M:PRON|||He|||REQUIRED|||-NONE-|||0"
CHANGED = "A 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0"
EMPTY = f"S \n{ADDED}\n\nS He go .\n{CHANGED}\n"


def test_an_empty_source_counts_as_one_token(gecval, folder):
    (folder / "empty.m2").write_text(EMPTY)
    status, out, err = gecval("maege empty.m2 -r empty.m2 -m accuracy --source original --format json")
    assert (status, err) == (0, SAME_PEOPLE.format(2))
    (row,) = json.loads(out)["metrics"]
    # Accuracy is 0, 1 and 0, 1 on the way up; the linear scores are 1 - 1/1, 1 and 1 - 1/3, 1.
    assert row["sentence_pearson"]["mean"] == pytest.approx(np.corrcoef([0, 1, 0, 1], [0, 1, 2 / 3, 1])[0, 1])


def test_chains_need_the_annotators_that_a_preset_asks_for(gecval, folder):
    (folder / "empty.m2").write_text(EMPTY)
    status, out, err = gecval("maege empty.m2 -r empty.m2 -m accuracy --preset code")
    message = "no sentence is edited by 2 annotators: there are no chains to draw"
    assert (status, out, err) == (2, "", f"gecval: {message}\n")


def test_a_metric_without_human_correlation_is_left_out_of_the_plot(gecval, learners):
    pytest.importorskip("vl_convert", reason="needs the extra [report]")
    listed = [{"metric": "ld", "spearman": {"value": None}}, {"metric": "gleu", "spearman": {"value": 0.5}}]
    (learners / "human.json").write_text(json.dumps({"correlations": listed}))
    run = "maege learners.m2 -r learners.m2 -m gleu -m ld --human human.json --plot human human.json.svg"
    assert gecval(run)[0] == 0
    assert "gleu" in (learners / "human.json.svg").read_text()


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"correlations": 3}', '{"correlations": [{"metric": "ld"}]}', "[" * 100_000,
     '{"correlations": [{"metric": "ld", "spearman": {"value": 7}}]}'],
)  # fmt: skip
def test_a_file_that_gecval_human_did_not_write(gecval, learners, content):
    pytest.importorskip("vl_convert", reason="needs the extra [report]")
    (learners / "human.json").write_text(content)
    status, out, err = gecval("maege learners.m2 -r learners.m2 -m ld --human human.json --plot human x.svg")
    message = "human.json is not what `gecval human --format json` writes with metrics; run that first (option --human)"
    assert (status, out, err) == (2, "", f"gecval: {message}\n")


def test_refusals(answered, learners, matches_transcript):
    matches_transcript("refusals/maege.txt", answered)
