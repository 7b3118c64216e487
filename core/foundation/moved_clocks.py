"""Whose clock was moved: what is due for them is left to their clock, and to nobody else.

Whoever drains due rows by the real time passes over the sandboxes that have a clock; whoever moves a
clock drains those of its sandbox alone, in the order in which they happened. While no clock is moved,
statements are those that they always were.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from core.foundation.database.cell import current

_held: dict[str, tuple[str, ...]] = {}
"""By the name of the cell."""
_left_alone: dict[str, tuple[str, ...]] = {}
"""By the name of the cell: organizations that are moved into it or out of it, in both environments."""
_only: ContextVar[str | None] = ContextVar("only_sandbox_of", default=None)

MARK = "/* whose"
"""Begins the comment in a statement behind which rows are narrowed: `/* whose d. */` where they are
`d`, `/* whose */` where they need no name.
"""


def hold(organization_ids: Iterable[str]) -> None:
    """The organizations of the current cell whose sandbox has a clock, as this process knows it from
    now on.
    """
    _held[current().name] = tuple(sorted(organization_ids))


def held() -> tuple[str, ...]:
    """The organizations of the current cell that were held last."""
    return _held.get(current().name, ())


def leave_alone(organization_ids: Iterable[str]) -> None:
    """The organizations of the current cell that are being moved: nobody drains what is due for them."""
    _left_alone[current().name] = tuple(sorted(organization_ids))


def _alone() -> tuple[str, ...]:
    return _left_alone.get(current().name, ())


@contextmanager
def only_sandbox_of(organization_id: str) -> Iterator[None]:
    """Inside, what is drained is that of this sandbox alone."""
    token = _only.set(organization_id)
    try:
        yield
    finally:
        _only.reset(token)


def is_moving() -> bool:
    """Whether a clock is being moved right now, and not the real time drains."""
    return _only.get() is not None


def may_drain(organization_id: str, env: str) -> bool:
    """Whether what is due for this owner is drained now."""
    only = _only.get()
    if only is not None:
        return env == "test" and organization_id == only
    if organization_id in _alone():
        return False
    return env != "test" or organization_id not in held()


def narrowed(statement: str, *values: object) -> tuple[str, *tuple[object, ...]]:
    """A statement that has the mark, and its values: for those whose rows are drained now."""
    only = _only.get()
    if only is not None:
        return (_variant(statement, "only", len(values) + 1), *(*values, [only]))
    if moving := _alone():
        return (
            _variant(statement, "neither", len(values) + 1),
            *(*values, list(held()), list(moving)),
        )
    if of_clocks := held():
        return (_variant(statement, "but", len(values) + 1), *(*values, list(of_clocks)))
    return (statement, *values)


@lru_cache(maxsize=128)
def _variant(statement: str, how: str, place: int) -> str:
    """The statement with its rows narrowed at every mark."""
    parts = statement.split(MARK)
    said = [parts[0]]
    for part in parts[1:]:
        prefix, rest = part.split("*/", 1)
        prefix = prefix.strip()
        owned = f"{prefix}organization_id = ANY (${place}::text[]) AND {prefix}env = 'test'"
        said.append(f"AND {owned}" if how == "only" else f"AND NOT ({owned})")
        if how == "neither":
            said.append(f" AND {prefix}organization_id <> ALL (${place + 1}::text[])")
        said.append(rest)
    return "".join(said)
