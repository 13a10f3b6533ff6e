"""Which metrics are there, and what does each need, take and mean?"""
