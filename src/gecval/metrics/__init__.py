"""Metrics: one file each, found by name through the registry."""

from gecval.metrics.base import Metric, Statistics
from gecval.metrics.registry import FunctionMetric, SentenceFunction, default_metrics, metric, metric_names

__all__ = ["FunctionMetric", "Metric", "SentenceFunction", "Statistics", "default_metrics", "metric", "metric_names"]
