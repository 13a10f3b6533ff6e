"""How good is a system, and is it better than another?"""
