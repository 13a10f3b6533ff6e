"""Is one system better than another?"""
