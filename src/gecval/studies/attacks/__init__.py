"""What can be had from a metric without merit: adversaries, and the points that they get."""
