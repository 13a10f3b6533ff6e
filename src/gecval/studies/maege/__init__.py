"""MAEGE: validate any metric without human rankings."""
