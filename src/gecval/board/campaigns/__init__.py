"""People rank outputs, as the judgments behind GJG15 were made.

making.py      a campaign: whose outputs are compared, who judges
items.py       what a judge sees next, and the answer
texts.py       the sentences and outputs of a campaign, edits marked
results.py     the judgments as ``gecval human`` knows them: rankings, kappa, the metrics' agreement
exporting.py   the judgments as JSON Lines, CSV and XML
"""
