"""How fast and how large: one module per question, each as a ratio to what people use today, measured in one run."""
