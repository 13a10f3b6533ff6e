"""Judged sentences: the real file, and what a broken one is told."""

from collections import Counter
from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.formats.ratings import Judged, read_judged

HEADER = "Id\tSentence\tExpert Judgement\tCrowd Flower Judgements\tAverage\tDataset"


def written(folder: Path, *lines: str) -> Path:
    path = folder / "judged.tsv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_the_real_judgments(data: Path) -> None:
    judged = read_judged(data / "gug" / "gug_annotations.tsv")
    assert Counter(sentence.split for sentence in judged) == {"train": 1518, "dev": 747, "test": 754}
    assert judged[0].judgment == 3.0
    assert judged[0].sentence.startswith("If the teacher once entered in to the class")
    assert not any('""' in sentence.sentence for sentence in judged)
    assert any('to a "better city, better life" which' in sentence.sentence for sentence in judged)


def test_only_doubled_marks_mean_quoting(tmp_path: Path) -> None:
    cells = ['"A ""b"" c."', '"Why?" he said: "No."', '"All of it."', '"', '"A ""b"" c', "y"]
    splits = ["train", "train", "dev", "dev", "test", "test"]
    rows = [f"{i}\t{cell}\t4\t[4]\t{1 + i / 2}\t{splits[i]}" for i, cell in enumerate(cells)]
    read = read_judged(written(tmp_path, HEADER, *rows, "9\tLeft out\t0\t[]\t\tnone"))
    assert [sentence.sentence for sentence in read] == ['A "b" c.', *cells[1:]]
    assert read[2] == Judged('"All of it."', 2.0, "dev")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["Sentence\tAverage"], "line 1 names no column 'dataset'; it should, as in gug_annotations.tsv"),
        ([HEADER, "1\tHe."], "line 2 has 2 columns, the header 6"),
        ([HEADER, "1\tHe.\t4\t[]\tfour\ttrain"], "line 2: the average 'four' is no number from 1 to 4"),
        ([HEADER, "1\tHe.\t4\t[]\t5\ttrain"], "line 2: the average '5' is no number from 1 to 4"),
        ([HEADER, "1\tHe.\t4\t[]\tnan\ttrain"], "line 2: the average 'nan' is no number from 1 to 4"),
        ([HEADER, "1\tHe.\t4\t[]\t4\ttrain"], "the split train needs sentences with two different judgments or more"),
    ],
)
def test_what_is_wrong_is_named(lines: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"judged\.tsv: ") as refused:
        read_judged(written(tmp_path, *lines))
    assert message in str(refused.value)
