"""Out and back: a whole board as JSON Lines and files, and from these a board again, on either database.

    board.json             the format, the state of the tables, how many rows each has, and the hash of its rows
    tables/NAME.jsonl      a row a line, in the order of their keys
    files/SHA-256          what people uploaded, and what else the tables keep as bytes, by its hash

The same board gives the same bytes, whichever database it lies in. Sessions, counts of rate limits and the secret of
forms stay behind. Passwords, tokens and invitations go along on demand alone, as hashes.
"""

from gecval.board.exchange.copying import export_board, import_board

__all__ = ["export_board", "import_board"]
