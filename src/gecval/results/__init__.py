"""What a study returns, and every way to show it: tables, styles, charts, JSON with a schema."""
