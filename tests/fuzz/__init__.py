"""Broken files for every reader. Whatever a file holds, gecval answers with a result or with one line: an InputError.

``make fuzz`` runs ``python -m fuzz``. CASES and SEED say how many broken files each reader gets, and which.
"""
