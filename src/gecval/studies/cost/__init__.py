"""What would a chat model be asked, and how much of it?"""
