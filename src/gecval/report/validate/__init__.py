"""A metric's card: as tables, as a Markdown document, and as a self-contained HTML page."""
