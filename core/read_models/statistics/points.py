"""The points of a series: every bucket of every group, also the empty ones."""

from collections.abc import Sequence
from typing import TypedDict

from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.errors import FieldError, ValidationFailed
from core.read_models.statistics.inputs import Axis

MAX_POINTS = 10_000

Key = tuple[str | None, ...]
Point = dict[str, str | int | None]


class FiguresOverTime(TypedDict):
    """Figures of the whole period, and of each of its buckets."""

    totals: dict[str, int]
    points: list[Point]


def points_of(
    rows: Sequence[db.Row], axis: Axis, names: Sequence[str], figures: Sequence[str]
) -> list[Point]:
    """Every bucket of every group that there is at all; of one group, whose names are null, where
    nothing was counted.

    A row has its `bucket`, from 1, the names that it is grouped by, and its figures. Raises
    ValidationFailed.
    """
    found = {(row["bucket"], _key(row, names)): row for row in rows}
    keys: list[Key] = sorted({key for _, key in found}, key=_nulls_first) or [(None,) * len(names)]
    if len(axis.starts) * len(keys) > MAX_POINTS:
        message = f"More than {MAX_POINTS:,} points: send fewer groups, larger buckets or a shorter period"
        raise ValidationFailed(errors=[FieldError("pointer", "/groupBy", "too_many", message)])
    return [
        {
            "at": at,
            **dict(zip(names, key, strict=True)),
            **_figures(found.get((bucket, key)), figures),
        }
        for bucket, at in enumerate(map(wire_time, axis.starts), 1)
        for key in keys
    ]


def _key(row: db.Row, names: Sequence[str]) -> Key:
    return tuple(row[name] for name in names)


def _nulls_first(key: Key) -> tuple[str, ...]:
    return tuple(part or "" for part in key)


def _figures(row: db.Row | None, figures: Sequence[str]) -> dict[str, int]:
    return dict.fromkeys(figures, 0) if row is None else {name: row[name] for name in figures}
