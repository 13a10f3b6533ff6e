"""A chat model as a judge (Kobayashi et al. 2024)."""
