"""Do systems correct less than people do?"""
