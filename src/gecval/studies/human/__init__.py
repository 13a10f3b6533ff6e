"""Which metric agrees with people?"""
