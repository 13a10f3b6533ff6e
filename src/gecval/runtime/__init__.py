"""How work runs: threads, processes, other machines, progress, checkpoints, parts chosen by name."""
