"""Is the test set large enough?"""
