"""gecval reproduce as typed; the tables themselves take minutes and are run by hand (docs)."""

import json

from gecval.studies.reproduce import PAPERS, Figure, Reproduction


def test_without_a_paper_it_lists_them(gecval):
    status, out, err = gecval("reproduce --format json")
    assert (status, err) == (0, "")
    [table] = json.loads(out)["tables"]
    assert {row["paper"] for row in table["rows"]} == set(PAPERS)


def test_published_figures_beside_ours(gecval, monkeypatch):
    made = Reproduction("Table 0", ("ρ",), {"gleu": {"ρ": Figure(0.5, 0.25)}, "lost": {"ρ": Figure(0.1)}})
    monkeypatch.setattr("gecval.cli.reproduce.reproduce", lambda paper, *, progress: [made])
    status, out, _ = gecval("reproduce human --format tsv")
    assert status == 0
    assert out == "metric\tρ published\tρ ours\ngleu\t0.5\t0.25\nlost\t0.1\t\n"


def test_missing_data_says_where_to_get_it(gecval, monkeypatch, tmp_path):
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    status, out, err = gecval("reproduce maege")
    assert (status, out) == (2, "")
    assert err.startswith(f"gecval: no folder {tmp_path}/conll14 (CoNLL-2014 test set")
