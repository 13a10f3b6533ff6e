"""Which public data sets are there, and which are here?"""
