"""The kinds of metrics: counter, gauge, histogram.

Prometheus' own client locks and, over several processes, packs at every count: 1 to 3 µs for what
a request needs, against 0.2 µs here.

Names follow the conventions of Prometheus. Labels are ours (a route, a channel, an outcome), never
ids, addresses or anything that a caller chose: a label value is a series for ever, and `/metrics`
is read by people who may not see personal data.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Generic, Literal, TypeVar

from core.foundation.observability.metrics.cells import cells

Kind = Literal["counter", "gauge", "histogram"]

FAMILIES: dict[str, "Family"] = {}
"""Every declared family, by name."""


class Family:
    """A metric: name, help and the names of its labels."""

    def __init__(self, name: str, help: str, labels: Sequence[str] = (), *, kind: Kind) -> None:
        assert name not in FAMILIES, f"{name} is declared twice"
        self.name = name
        self.help = help
        self.label_names = tuple(labels)
        self.kind = kind
        FAMILIES[name] = self

    def _key(self, values: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        assert len(values) == len(self.label_names), (
            f"{self.name} has the labels {self.label_names}"
        )
        return self.name, values


class CounterCell:
    """One counter."""

    __slots__ = ("_at",)

    def __init__(self, at: int) -> None:
        self._at = at

    def add(self, amount: float = 1.0) -> None:
        """It happened once more."""
        cells.values[self._at] += amount


class GaugeCell:
    """One gauge of this process; a page shows the sum over its siblings."""

    __slots__ = ("_at",)

    def __init__(self, at: int) -> None:
        self._at = at

    def set(self, value: float) -> None:
        """It is at this value now."""
        cells.values[self._at] = value


class HistogramCells:
    """One histogram: how often each bucket was met, and the sum."""

    __slots__ = ("_at", "_bounds", "_sum")

    def __init__(self, at: int, bounds: tuple[float, ...]) -> None:
        self._at = at
        self._bounds = bounds
        self._sum = at + len(bounds) + 1

    def observe(self, value: float) -> None:
        """It took this long."""
        values = cells.values
        values[self._at + bisect_left(self._bounds, value)] += 1.0
        values[self._sum] += value


Child = TypeVar("Child")


class _Labelled(Family, Generic[Child]):
    """A family whose members are made on first use and kept: hold on to them on hot paths."""

    def __init__(self, name: str, help: str, labels: Sequence[str], *, kind: Kind) -> None:
        super().__init__(name, help, labels, kind=kind)
        self._members: dict[tuple[str, ...], Child] = {}
        if not self.label_names:
            self.labels()  # shown from the beginning, as zero

    def labels(self, *values: str) -> Child:
        """The member with these values of the labels."""
        member = self._members.get(values)
        if member is None:
            member = self._members[values] = self._make(values)
        return member

    def _make(self, values: tuple[str, ...]) -> Child:
        raise NotImplementedError


class Counter(_Labelled[CounterCell]):
    """Something that happens; its name ends in `_total`."""

    def __init__(self, name: str, help: str, labels: Sequence[str] = ()) -> None:
        assert name.endswith("_total")
        super().__init__(name, help, labels, kind="counter")

    def _make(self, values: tuple[str, ...]) -> CounterCell:
        return CounterCell(cells.take(self._key(values), 1, lasts=True))


class Gauge(_Labelled[GaugeCell]):
    """A level of each process; the page shows the sum over the living ones."""

    def __init__(self, name: str, help: str, labels: Sequence[str] = ()) -> None:
        super().__init__(name, help, labels, kind="gauge")

    def _make(self, values: tuple[str, ...]) -> GaugeCell:
        return GaugeCell(cells.take(self._key(values), 1, lasts=False))


class Histogram(_Labelled[HistogramCells]):
    """Durations in seconds, in buckets up to each of the bounds."""

    def __init__(
        self, name: str, help: str, labels: Sequence[str] = (), *, bounds: Sequence[float]
    ) -> None:
        self.bounds = tuple(sorted(bounds))
        super().__init__(name, help, labels, kind="histogram")

    def _make(self, values: tuple[str, ...]) -> HistogramCells:
        width = len(self.bounds) + 2  # above the last bound, and the sum
        return HistogramCells(cells.take(self._key(values), width, lasts=True), self.bounds)


class ReadGauge(Family):
    """A level that is looked up when a page is made, and is the same for all processes."""

    def __init__(self, name: str, help: str, labels: Sequence[str] = ()) -> None:
        super().__init__(name, help, labels, kind="gauge")
