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

REAL_TIME_MARK = "/* unless moved"
"""Begins the mark of what is due by the real time: only organizations that move between cells are passed over."""


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


def unless_moved(statement: str, *values: object) -> tuple[str, *tuple[object, ...]]:
    """A statement that has the mark of the real time, and its values: one row that may not be written
    would stop the rows of everybody.
    """
    if moving := _alone():
        return (_without_moved(statement, len(values) + 1), *(*values, list(moving)))
    return (statement, *values)


def _without_moved(statement: str, place: int) -> str:
    said = [statement.split(REAL_TIME_MARK, 1)[0]]
    for prefix, rest in _behind(REAL_TIME_MARK, statement):
        said += (f"AND {prefix}organization_id <> ALL (${place}::text[])", rest)
    return "".join(said)


def _behind(mark: str, statement: str) -> Iterator[tuple[str, str]]:
    """What each mark names rows by, and what follows it."""
    for part in statement.split(mark)[1:]:
        prefix, rest = part.split("*/", 1)
        yield prefix.strip(), rest


@lru_cache(maxsize=128)
def _variant(statement: str, how: str, place: int) -> str:
    """The statement with its rows narrowed at every mark."""
    said = [statement.split(MARK, 1)[0]]
    for prefix, rest in _behind(MARK, statement):
        owned = f"{prefix}organization_id = ANY (${place}::text[]) AND {prefix}env = 'test'"
        said.append(f"AND {owned}" if how == "only" else f"AND NOT ({owned})")
        if how == "neither":
            said.append(f" AND {prefix}organization_id <> ALL (${place + 1}::text[])")
        said.append(rest)
    return "".join(said)
