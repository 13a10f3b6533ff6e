"""Everything that is known of some systems on one corpus, gathered for a report."""
