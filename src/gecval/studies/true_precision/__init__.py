"""Which edits that no reference has are valid, and what are precision, recall and F with them?"""
