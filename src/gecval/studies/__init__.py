"""Studies: one folder per question that a user asks. Each returns one complete result."""
