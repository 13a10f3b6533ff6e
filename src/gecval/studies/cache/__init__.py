"""What is cached of the answers of models?"""
