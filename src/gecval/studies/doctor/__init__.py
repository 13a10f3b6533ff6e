"""Is a corpus sound, and what does it do to a score if it is not?"""
