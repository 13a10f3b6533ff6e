"""How far do the annotators of a corpus agree?"""
