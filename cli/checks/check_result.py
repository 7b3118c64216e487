"""How a check comes out."""

from dataclasses import dataclass


class Warned(str):
    """The line of a check that passed, but with something to look at."""

    __slots__ = ()


@dataclass(frozen=True)
class CheckResult:
    """What one check found. `ok` None: another one has to pass before it. `warning`: it passed, but
    look at it.
    """

    name: str
    ok: bool | None
    detail: str
    warning: bool = False
