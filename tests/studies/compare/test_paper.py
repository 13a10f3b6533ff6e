"""A paper's table: one command, one tabular, and what must stand next to it."""

from __future__ import annotations

import re
from pathlib import Path

import latex
from gecval import Resampling, load_sample, metric
from gecval.studies.compare.paper import paper_table
from gecval.studies.compare.study import compare

CORPUS, SYSTEMS = load_sample()


def test_numbers_are_those_of_score_and_marks_those_of_compare() -> None:
    metrics = [metric("m2"), metric("gleu")]
    table = paper_table(CORPUS, SYSTEMS, metrics, baseline="timid")
    tests = compare(CORPUS, "timid", list(SYSTEMS), metrics, correction="holm")
    assert [row.p for row in table.comparisons] == [row.p for row in tests]
    [shown] = table.to_tables()
    assert shown.columns == ["system", "M² P", "M² R", "M² F0.5", "GLEU"]
    cells = {row[0]: row for row in shown.rows}
    assert cells["thorough"][1:4] == ["85.9", "68.2", "81.6 ± 3.8†"]
    significant = {(row.metric, row.system) for row in tests if row.significant}
    for column, name in ((3, "m2"), (4, "gleu")):
        marked = {(name, system) for system, row in cells.items() if str(row[column]).endswith("†")}
        assert marked == {pair for pair in significant if pair[0] == name}


def test_without_a_baseline_each_metric_has_the_best() -> None:
    table = paper_table(CORPUS, SYSTEMS, [metric("m2"), metric("ld")])
    assert {row.baseline for row in table.comparisons if row.metric == "m2"} == {"thorough"}
    best = max((score.score, score.system) for score in table.scores if score.metric == "ld")[1]
    assert {row.baseline for row in table.comparisons if row.metric == "ld"} == {best}


def test_text_latex_and_markdown(gecval, folder: Path) -> None:
    line = "score good.txt copy.txt -r gold.m2 -m m2,gleu --table paper"
    text = gecval(line).out
    assert "† marks systems that differ significantly from the best system" in text
    assert "(Dahlmeier & Ng 2012) and GLEU (Napoles et al. 2015, 2016) against 1-2 references" in text
    assert re.findall(r"@\w+\{([\w-]+),", text) == [
        "dahlmeier-2012-better",
        "napoles-2015-ground",
        "napoles-2016-gleu",
        "gecval",
    ]
    written = gecval(f"{line} -o table.tex")
    assert written.out == ""
    source = Path("table.tex").read_text("utf-8")
    latex.check(source)
    assert source.count(r"\begin{tabular}") == 1
    assert source.startswith("\\begin{table}[t]\n")
    assert r"\caption{M\ensuremath{^2} F0.5 and GLEU on 4 sentences, in percent." in source
    assert "```bibtex" in gecval(f"{line} --format markdown").out
    assert gecval(f"{line} --csv").out.startswith("system,metric,score,low,high,level,against,p,significant,precision,")


def test_against_a_baseline(gecval, refused, folder: Path) -> None:
    text = gecval("compare copy.txt good.txt wild.txt -r gold.m2 -m m2 --table paper").out
    assert "differ significantly from copy (p < 0.05" in text
    assert refused("score good.txt -r gold.m2 -m m2 --table paper") == (
        "a paper's table tests differences: give two systems or more; for one: --ci --format latex"
    )


def test_the_chart_is_drawn_too(gecval, folder: Path) -> None:
    for command in ("score good.txt copy.txt", "compare copy.txt good.txt"):
        said = gecval(f"{command} -r gold.m2 -m m2 --table paper --plot {command.split()[0]}.svg")
        assert "--plot" not in said.err
        assert Path(f"{command.split()[0]}.svg").read_text("utf-8").startswith("<svg")


def test_programs_get_p_and_marks(gecval, folder: Path) -> None:
    head, copy, good = (
        line.split(",")
        for line in gecval("compare copy.txt good.txt -r gold.m2 -m gleu --table paper --csv").out.split()
    )
    assert head[5:9] == ["level", "against", "p", "significant"]
    assert copy[6:9] == ["", "", ""]
    assert good[6] == "copy"
    assert good[8] == ("yes" if float(good[7]) < 0.05 else "no")


def test_all_tests_of_a_table_are_one_family() -> None:
    """Also where each metric has a best system of its own; the words say which interval and test it was."""
    metrics = [metric("m2"), metric("gleu"), metric("accuracy")]
    made = paper_table(CORPUS, SYSTEMS, metrics)
    alone = paper_table(CORPUS, SYSTEMS, metrics, correction="none")
    smallest = min(row.p for row in alone.comparisons)
    assert min(row.p for row in made.comparisons) == len(made.comparisons) * smallest
    assert "95% studentised interval" in made.caption
    assert "Intervals are studentised intervals, and differences are tested by a studentised randomisation test" in (
        made.sentence
    )
    many = paper_table(CORPUS, SYSTEMS, metrics[:1], confidence=Resampling(200, method="bca"))
    assert "Intervals are bootstrap intervals (200 resamples)" in many.sentence
