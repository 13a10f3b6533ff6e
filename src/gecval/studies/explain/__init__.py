"""Why does a metric score a sentence as it does? What each edit adds."""
