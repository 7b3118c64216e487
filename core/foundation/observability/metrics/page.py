"""The Prometheus text exposition of every metric."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from core.foundation.observability.metrics.cells import cells
from core.foundation.observability.metrics.families import FAMILIES, Family, Histogram, ReadGauge

Readings = Mapping[ReadGauge, Mapping[tuple[str, ...], float]]
"""What was looked up for this page: by family and values of the labels."""

Series = list[tuple[tuple[str, ...], list[float]]]


MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4


def as_page(readings: Readings) -> bytes:
    """The page, in the text format 0.0.4 that every scraper reads."""
    return generate_latest(_AllFamilies(readings))


class _AllFamilies(Collector):
    def __init__(self, readings: Readings) -> None:
        self._readings = readings

    def collect(self) -> Iterator[Metric]:
        counted: dict[str, Series] = {name: [] for name in FAMILIES}
        for (name, labels), numbers in sorted(cells.everything().items()):
            if name in counted:  # a sibling of another version may count more
                counted[name].append((labels, numbers))
        for family in list(FAMILIES.values()):
            if isinstance(family, ReadGauge):
                looked_up = self._readings.get(family, {})
                yield _metric(family, [(labels, [value]) for labels, value in looked_up.items()])
            else:
                yield _metric(family, counted[family.name])


def _metric(family: Family, series: Series) -> Metric:
    if isinstance(family, Histogram):
        times = HistogramMetricFamily(family.name, family.help, labels=family.label_names)
        for labels, numbers in series:
            times.add_metric(labels, list(_buckets(family.bounds, numbers)), sum_value=numbers[-1])
        return times
    kind = CounterMetricFamily if family.kind == "counter" else GaugeMetricFamily
    metric = kind(family.name, family.help, labels=family.label_names)
    for labels, numbers in series:
        metric.add_metric(labels, numbers[0])
    return metric


def _buckets(bounds: Iterable[float], numbers: list[float]) -> Iterator[tuple[str, float]]:
    names = [*(f"{bound:g}" for bound in bounds), "+Inf"]
    return zip(names, accumulate(numbers[:-1]), strict=True)
