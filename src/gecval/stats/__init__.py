"""Statistics: resampling intervals and paired tests."""

from gecval.stats.resampling import Interval, PairedTest, Resampling, bootstrap_interval, paired_test

__all__ = ["Interval", "PairedTest", "Resampling", "bootstrap_interval", "paired_test"]
