"""Why do two scores differ?"""
