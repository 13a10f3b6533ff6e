"""Pages for people, by what they are about."""
