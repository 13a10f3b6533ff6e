"""128-bit integers in two words: their sums, products, order and rounding are those of Python's integers."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAM = """
#include <cstdio>
#include "imeasure/wide_integer.hpp"
using gecval::TwoWords;

// Every line has four numbers: a b c d; printed are the order of a*b and c*d, and a*b, a*b + c*d, a*b - c*d as doubles.
int main() {
    long long a, b, c, d;
    while (std::scanf("%lld %lld %lld %lld", &a, &b, &c, &d) == 4) {
        const TwoWords x = TwoWords{a} * TwoWords{b}, y = TwoWords{c} * TwoWords{d};
        std::printf("%d %d %.17g %.17g %.17g %lld\\n", int(x < y) - int(x > y), int(x == y), double(x), double(x + y),
                    double(x - y), static_cast<long long>(static_cast<std::int64_t>(TwoWords{a} + TwoWords{})));
    }
}
"""
NATIVE = Path(__file__).parents[2] / "native"
SIZES = (1, 8, 31, 32, 33, 52, 53, 54, 61, 62)


def numbers() -> list[tuple[int, int, int, int]]:
    draw = random.Random(12)
    rows = [tuple(draw.choice((-1, 1)) * draw.getrandbits(draw.choice(SIZES)) for _ in range(4)) for _ in range(20_000)]
    edges = (0, 1, -1, 2**32, -(2**32), 2**62, -(2**62), 2**53 + 1, -(2**53) - 1)
    return [
        *rows,
        *((a, b, b, a) for a in edges for b in edges),
        *((a, b, c, 1) for a in edges for b in edges for c in edges),
    ]


@pytest.mark.skipif(not (compiler := shutil.which("c++")), reason="needs a C++ compiler called c++")
def test_two_words_are_python_integers(tmp_path: Path) -> None:
    (tmp_path / "program.cpp").write_text(PROGRAM)
    program = tmp_path / "program"
    subprocess.run([str(compiler), "-std=c++20", "-I", NATIVE, "-o", program, tmp_path / "program.cpp"], check=True)
    rows = numbers()
    text = "".join(" ".join(map(str, row)) + "\n" for row in rows)
    printed = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(printed) == len(rows)
    for (a, b, c, d), line in zip(rows, printed, strict=True):
        x, y = a * b, c * d
        order, same, *doubles, back = line.split()
        assert (int(order), int(same)) == ((x < y) - (x > y), x == y)
        assert [float(number) for number in doubles] == [float(x), float(x + y), float(x - y)]
        assert int(back) == a
