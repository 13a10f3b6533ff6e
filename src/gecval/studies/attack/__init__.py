"""How many points does a metric give to outputs that correct nothing?"""
