"""Keeps a handful of servers running."""

import time
from collections.abc import Callable
from typing import Protocol

from cli.failures import Failure

SHORT_LIFE = 5.0
SHORT_LIVES_ALLOWED = 3


class Supervised(Protocol):
    """What can be kept running."""

    @property
    def name(self) -> str: ...
    @property
    def running(self) -> bool: ...
    @property
    def ending(self) -> str: ...
    def restart(self) -> object: ...


class KeepsEnding(Failure):
    """A server ends again and again right after its start."""


class Supervisor:
    """Starts again what ends unexpectedly, and says so in one line.

    A worker that a test or a person kills must not take the database and the API down with it. What
    cannot stay up is a fault to be read, not to be hidden: after three short lives in a row we give
    up.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._started: dict[Supervised, float] = {}
        self._short_lives: dict[Supervised, int] = {}

    def keep(self, member: Supervised) -> None:
        """Watch over a server that has just been started."""
        self._started[member] = time.monotonic()
        self._short_lives[member] = 0

    def look(self) -> None:
        """Start again whatever has ended since the last look. Raises KeepsEnding."""
        for member, started in self._started.items():
            if member.running:
                continue
            lived = time.monotonic() - started
            self._short_lives[member] = self._short_lives[member] + 1 if lived < SHORT_LIFE else 1
            if lived < SHORT_LIFE and self._short_lives[member] >= SHORT_LIVES_ALLOWED:
                raise KeepsEnding(
                    f"{member.name} ended {SHORT_LIVES_ALLOWED} times right after its start "
                    f"({member.ending})"
                )
            self._say(f"{member.name} ended unexpectedly ({member.ending}); starting it again")
            member.restart()
            self._started[member] = time.monotonic()
