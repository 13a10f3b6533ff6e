"""Score passports: files from which a score, its interval and tests can be computed again without the data."""
