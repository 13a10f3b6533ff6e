"""What papers and READMEs print of agreement with SEEDA: r and ρ over systems (people's TrueSkill), and accuracy.

All were read off a README, a paper's LaTeX or a note on the paper, not off its PDF. A metric has the name under which
we compute it; others have the papers' names, and no figure of ours.
"""

from __future__ import annotations

Published = dict[str, dict[str, float]]  # of a metric, by column
PUBLISHED_COLUMNS = ("r", "ρ", "accuracy")
ONE_PASS = "ρ, TrueSkill"

GLEU = "gleu(form='paper')"

# gec-metrics: README, its paper, and "Rethinking Evaluation Metrics for GEC" (Goto et al. 2025). Second references of
# 88 sentences are false.
GEC_METRICS: dict[str, Published] = {
    "SEEDA-S, base": {
        "green": {"ρ": 0.881, ONE_PASS: 0.846},
        "errant": {"ρ": 0.343, "accuracy": 0.594, ONE_PASS: 0.706},
        GLEU: {"r": 0.886, "ρ": 0.902, "accuracy": 0.6716, ONE_PASS: 0.846},
        "PT-ERRANT": {"ρ": 0.629, ONE_PASS: 0.797},
        "scribendi": {"ρ": 0.636, ONE_PASS: 0.762},
        "SOME": {"ρ": 0.867, "accuracy": 0.778, ONE_PASS: 0.881},
        "IMPARA": {"ρ": 0.902, "accuracy": 0.753, ONE_PASS: 0.923},
    },
    "SEEDA-S, with fluent": {
        "errant": {"ρ": -0.156, ONE_PASS: 0.095},
        "scribendi": {"ρ": 0.714, ONE_PASS: 0.859},
        "SOME": {"ρ": 0.916, ONE_PASS: 0.925},
        "IMPARA": {"ρ": 0.938, ONE_PASS: 0.952},
    },
    "SEEDA-E, base": {GLEU: {"accuracy": 0.6735}},
    "SEEDA-E, with fluent": {
        "green": {"r": 0.252, "ρ": 0.618},
        "errant": {"r": -0.508, "ρ": 0.033},
        GLEU: {"r": 0.232, "ρ": 0.569},
        "scribendi": {"r": 0.715, "ρ": 0.842},
        "SOME": {"r": 0.943, "ρ": 0.969},
        "IMPARA": {"r": 0.900, "ρ": 0.978},
        "GPT-4-S (gpt-4o-mini)": {"r": 0.390, "ρ": 0.714},
        "Qwen2.5-S": {"r": 0.790, "ρ": 0.930},
    },
}

# Kobayashi et al. 2024 (BEA, Table 1: SEEDA-E, base), Ye et al. 2025 (CLEME2.0: base), the README of
# gotutiyan/scribendi_score, and the README of SURE.
OTHERS: dict[str, Published] = {
    "SEEDA-S, base": {
        "errant": {"r": 0.557, "ρ": 0.406},
        "cleme": {"r": 0.633, "ρ": 0.501},
        "cleme2": {"r": 0.937, "ρ": 0.865},
        "gotoscorer": {"r": 0.929, "ρ": 0.881},
        "scribendi": {"r": 0.6308, "ρ": 0.641},
        "SOME": {"r": 0.892, "ρ": 0.867},
        "CLEME2.0-sim-ind": {"r": 0.921, "ρ": 0.907},
        "SURE": {"r": 0.927, "ρ": 0.895, "accuracy": 0.809},
    },
    "SEEDA-S, with fluent": {"SURE": {"r": 0.970, "ρ": 0.934}},
    "SEEDA-E, base": {
        "m2": {"r": 0.791, "ρ": 0.764, "accuracy": 0.582},
        "errant": {"r": 0.697, "ρ": 0.671, "accuracy": 0.573},
        "gleu": {"r": 0.911, "ρ": 0.897, "accuracy": 0.695},
        "cleme": {"r": 0.755, "ρ": 0.757},
        "cleme2": {"r": 0.945, "ρ": 0.939},
        "gotoscorer": {"r": 0.901, "ρ": 0.937},
        "scribendi": {"r": 0.8324, "ρ": 0.8476},
        "SOME": {"r": 0.901, "ρ": 0.951, "accuracy": 0.747},
        "IMPARA": {"r": 0.889, "ρ": 0.944, "accuracy": 0.742},
        "CLEME2.0-sim-ind": {"r": 0.953, "ρ": 0.981},
        "SURE": {"r": 0.932, "ρ": 0.972, "accuracy": 0.797},
        "GPT-3.5-S": {"r": 0.878, "ρ": 0.916, "accuracy": 0.633},
        "GPT-4-S": {"r": 0.960, "ρ": 0.958, "accuracy": 0.798},
        "GPT-4-S + fluency": {"r": 0.974, "ρ": 0.979, "accuracy": 0.831},
        "GPT-4-E + impact": {"r": 0.905, "ρ": 0.986, "accuracy": 0.730},
    },
    "SEEDA-E, with fluent": {"m2": {"r": -0.239}, "SURE": {"r": 0.976, "ρ": 0.982}},
}

# SEEDA's README: scores over all 1312 sentences, of the 15 systems in alphabetical order.
_README = {
    "M2": "50.3 62.77 61.83 63.53 53.5 0 55.5 59.93 47.48 60.12 64.74 65.07 56.29 68.08 64.55",
    "SentM2": "51.29 63.21 61.23 60.37 53.28 31.33 58 60.7 48.99 62.3 64.22 65.2 57.59 68.33 62.68",
    "PT-M2": "50.41 62.99 60.76 59.21 53.41 31.33 57.16 60.69 46.54 62.91 64.31 66.13 57.47 68.37 62.67",
    "ERRANT": "46.66 58.99 58.05 61.43 44.12 0 52.38 55.89 33.24 54.77 61.88 60.65 51.34 64.43 61.33",
    "SentERRANT": "50.31 61.81 59.76 59.64 49.23 31.4 56.41 59.35 41.41 60.11 63.13 63.24 56.08 66.76 61.38",
    "PT-ERRANT": "48.89 61.18 59.17 58.57 48.93 31.33 55.86 58.65 39.69 60.6 62.73 63.77 55.96 66.37 61.19",
    "GoToScorer": "15.86 21.1 18.98 16.58 22.85 0 16.23 21.07 21.7 23.92 20.94 20.46 14.7 21.93 18.94",
    "GLEU": "63.46 68.5 66.56 65.08 65.93 56.6 64.39 67.83 60.34 67.27 68.37 68.81 65.07 70.2 67.41",
    "Scribendi": "527 739 640 529 835 0 683 601 711 754 678 668 448 779 666",
    "SOME": "0.7933 0.8151 0.8016 0.786 0.8379 0.7506 0.8028 0.8066 0.8463 0.8155 0.8123 0.8202 0.7972 0.82 0.808",
    "IMPARA": "5.31 5.816 5.644 5.17 6.376 4.089 5.543 5.659 6.569 5.908 5.757 6.045 5.52 6.035 5.591",
}
README_SCORES = {metric: tuple(map(float, scores.split())) for metric, scores in _README.items()}
