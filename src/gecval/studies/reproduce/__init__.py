"""The papers' tables and figures, with ours next to them."""
