"""Statistics: resampling intervals and paired tests."""

from gecval.stats.paired_tests import PairedTest, paired_test
from gecval.stats.resampling import Interval, Resampling, bootstrap_interval

__all__ = ["Interval", "PairedTest", "Resampling", "bootstrap_interval", "paired_test"]
