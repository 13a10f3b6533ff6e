"""Do the scores of a passport hold?"""
