"""Which sentences should one more annotator correct?"""
