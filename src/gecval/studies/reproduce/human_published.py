"""What the papers print on human rankings."""

from gecval.studies.human.system_scores import Aggregation

# Rankings; pairs of outputs and ties among them; the same after expansion to systems; κ between and within judges.
GJG15_COUNTS = {
    "rankings": 2319,
    "pairs of outputs": 20516,
    "ties of outputs": 5694,
    "pairs of systems": 109098,
    "ties of systems": 59117,
    "κ between judges": 0.29,
    "κ within judges": 0.46,
}
GJG15_EXPECTED_WINS = {
    "AMU": 0.628,
    "RAC": 0.566,
    "CAMB": 0.561,
    "CUUI": 0.550,
    "POST": 0.539,
    "UFC": 0.513,
    "PKU": 0.506,
    "UMC": 0.495,
    "IITB": 0.485,
    "SJTU": 0.463,
    "INPUT": 0.456,
    "NTHU": 0.437,
    "IPN": 0.300,
}
GJG15_TRUESKILL = {
    "AMU": 0.273,
    "CAMB": 0.182,
    "RAC": 0.114,
    "CUUI": 0.105,
    "POST": 0.080,
    "PKU": -0.001,
    "UMC": -0.022,
    "UFC": -0.041,
    "IITB": -0.055,
    "INPUT": -0.062,
    "SJTU": -0.074,
    "NTHU": -0.142,
    "IPN": -0.358,
}
NSPT15_TRUESKILL = {
    "refmix1": 1.189,
    "CAMB": 0.151,
    "AMU": 0.072,
    "RAC": 0.013,
    "UFC": -0.042,
    "src": -0.046,
    "CUUI": -0.060,
    "IITB": -0.089,
    "SJTU": -0.090,
    "POST": -0.111,
    "UMC": -0.197,
    "PKU": -0.231,
    "IPN": -0.268,
    "NTHU": -0.291,
}

# ρ on both sets combined with its p, on GJG15, on NSPT15; and how our scores are made: M2 and GLEU as their tools score
# a corpus, the others as means.
MAEGE_TABLE_1: dict[str, tuple[str, Aggregation, tuple[float, float, float, float]]] = {
    "GLEU": ("gleu", "corpus", (0.771, 0.001, 0.512, 0.758)),
    "LT": ("lt", "mean", (0.692, 0.006, 0.358, 0.615)),
    "M2": ("m2", "corpus", (0.626, 0.017, 0.398, 0.703)),
    "SARI": ("sari", "mean", (0.596, 0.025, 0.323, 0.599)),
    "MAX-SARI": ("max-sari", "mean", (0.552, 0.041, 0.292, 0.577)),
    "MinLD O→R": ("min-ld", "mean", (0.191, 0.513, 0.350, -0.187)),
    "BLEU": ("bleu", "mean", (0.143, 0.626, 0.455, -0.126)),
    "iBLEU": ("ibleu", "mean", (-0.059, 0.840, 0.226, -0.462)),
    "LD S→O": ("ld", "mean", (-0.481, 0.081, -0.178, -0.505)),
}

# From here on: Pearson's r, Spearman's ρ.
SCRIBENDI_TABLE_2: dict[str, tuple[str | None, tuple[float, float]]] = {
    "M2": ("m2", (0.429, 0.358)),
    "GLEU": ("gleu", (0.555, 0.542)),
    "Scribendi": ("scribendi", (0.780, 0.812)),
    "SOME": (None, (0.824, 0.824)),
}
SCRIBENDI_TABLE_3: dict[str, tuple[str | None, tuple[float, float]]] = {
    "M2": ("m2", (0.674, 0.720)),
    "GLEU": ("gleu", (0.846, 0.816)),
    "Asano et al. 2017": (None, (0.878, 0.874)),
    "Scribendi": ("scribendi", (0.951, 0.940)),
    "SOME": (None, (0.975, 0.978)),
}
# Napoles et al. 2016, Table 1; ER is e-rater, which is not for sale.
NAPOLES_TABLE_1: dict[str, tuple[float, float]] = {
    "GLEU": (0.838, 0.852),
    "ER": (0.829, 0.852),
    "LT": (0.811, 0.808),
    "I-measure": (0.753, 0.769),
    "LFM": (0.742, 0.780),
    "M2": (0.641, 0.648),
}
# Systems from best to worst; Source is INPUT.
SCRIBENDI_TABLE_5: dict[str, tuple[str | None, str]] = {
    "Human": ("people", "CAMB AMU RAC CUUI INPUT POST UFC SJTU IITB PKU UMC NTHU IPN"),
    "BLEU": ("bleu", "UFC INPUT IITB SJTU UMC CUUI PKU AMU IPN NTHU CAMB RAC POST"),
    "I-measure": ("imeasure", "UFC INPUT IITB SJTU CUUI PKU AMU UMC IPN POST RAC CAMB NTHU"),
    "M2": ("m2", "CUUI CAMB AMU POST UMC NTHU PKU RAC SJTU UFC IPN IITB INPUT"),
    "GLEU": ("gleu", "CUUI AMU UFC CAMB INPUT IITB SJTU PKU UMC NTHU POST RAC IPN"),
    "Scribendi": ("scribendi", "CAMB AMU CUUI RAC PKU UMC POST INPUT IITB UFC SJTU NTHU IPN"),
}

# M2 and GLEU of SEEDA's systems over the whole test set.
SEEDA_METRICS = {
    "BART": (50.3, 63.46),
    "BERT-fuse": (62.77, 68.5),
    "GECToR-BERT": (61.83, 66.56),
    "GECToR-ens": (63.53, 65.08),
    "GPT-3.5": (53.5, 65.93),
    "INPUT": (0.0, 56.6),
    "LM-Critic": (55.5, 64.39),
    "PIE": (59.93, 67.83),
    "REF-F": (47.48, 60.34),
    "REF-M": (60.12, 67.27),
    "Riken-Tohoku": (64.74, 68.37),
    "T5": (65.07, 68.81),
    "TemplateGEC": (56.29, 65.07),
    "TransGEC": (68.08, 70.2),
    "UEDIN-MS": (64.55, 67.41),
}
# r and ρ with TrueSkill over the base systems.
SEEDA_CORRELATIONS = {("Scribendi", "edit"): (0.8324, 0.8476), ("Scribendi", "sent"): (0.6308, 0.641)}
