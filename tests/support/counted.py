"""What was counted while a test did something."""

from collections.abc import Iterator
from contextlib import contextmanager

from core.foundation.observability.metrics.cells import cells

Counted = dict[tuple[str, ...], float]
"""By the name of the metric and the values of its labels; for a histogram, how often it was met."""


@contextmanager
def counted(prefix: str = "svc_") -> Iterator[Counted]:
    """Yields what is filled at the end of the block: by how much each metric of this prefix went
    up, if it did.
    """
    before = _now()
    risen: Counted = {}
    yield risen
    for key, number in _now().items():
        if key[0].startswith(prefix) and number > before.get(key, 0):
            risen[key] = number - before.get(key, 0)


def _now() -> Counted:
    return {
        (name, *labels): numbers[0] if len(numbers) == 1 else sum(numbers[:-1])
        for (name, labels), numbers in cells.everything().items()
    }
