"""A metric's card: everything that can be measured about a metric, on one page."""
