"""Metrics: declared once beside the use case, cheap to count, summed over sibling processes."""

from core.foundation.observability.metrics.cells import share, stop_sharing
from core.foundation.observability.metrics.families import (
    FAMILIES,
    Counter,
    CounterCell,
    Family,
    Gauge,
    GaugeCell,
    Histogram,
    HistogramCells,
    ReadGauge,
)
from core.foundation.observability.metrics.page import MEDIA_TYPE, Readings, as_page

__all__ = [
    "FAMILIES",
    "MEDIA_TYPE",
    "Counter",
    "CounterCell",
    "Family",
    "Gauge",
    "GaugeCell",
    "Histogram",
    "HistogramCells",
    "ReadGauge",
    "Readings",
    "as_page",
    "share",
    "stop_sharing",
]
