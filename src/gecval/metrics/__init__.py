"""Metrics: one file each, found by name through the registry."""

from gecval.metrics.base import Metric, Statistics
from gecval.metrics.registry import FunctionMetric, metric, metric_names

__all__ = ["FunctionMetric", "Metric", "Statistics", "metric", "metric_names"]
