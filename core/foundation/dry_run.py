"""Whether a dry run is under way: a write that is done whole, answered, and taken back.

Whoever reaches beyond the database asks here: what can wait for a commit never happens, and what
cannot is refused. The block itself is `core.foundation.database.dry_runs`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.foundation.errors import BadRequest

_under_way: ContextVar[bool] = ContextVar("dry_run", default=False)


class NotRehearsable(BadRequest):
    """A write that reaches beyond the database."""

    default_detail = (
        "This operation reaches beyond the database, so there is no dry run of it; send it without "
        "the header X-SVC-Dry-Run."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "SIMULACAO_NAO_SUPORTADA"})


def is_dry_run() -> bool:
    """Whether what happens now will be taken back."""
    return _under_way.get()


@contextmanager
def taken_back() -> Iterator[None]:
    """What happens inside will be taken back, by whoever opened the block."""
    token = _under_way.set(True)
    try:
        yield
    finally:
        _under_way.reset(token)


def refuse_dry_run() -> None:
    """The beginning of what cannot be taken back. Raises NotRehearsable inside a dry run."""
    if _under_way.get():
        raise NotRehearsable
