"""The movable clock of a sandbox: set, advanced, and moved by workers through all that comes due.

While no clock is moved nothing asks for one. What is due in a sandbox that has a clock is left to it
by everybody else (`core.foundation.moved_clocks`); requests of its credentials happen at its time
(`time_of`).
"""

from core.sandbox_clock.advance import advance_clock
from core.sandbox_clock.follow import follow_clock
from core.sandbox_clock.inputs import ClockAdvance, ClockSetting, ClockStep
from core.sandbox_clock.models import ClockLimit, ClockStatus, SandboxClock
from core.sandbox_clock.move import ClockMover, move_clock
from core.sandbox_clock.queries import hold_moved, time_of
from core.sandbox_clock.record import ClockRecord
from core.sandbox_clock.reset import reset_sandbox
from core.sandbox_clock.set_clock import get_clock, set_clock

__all__ = [
    "ClockAdvance",
    "ClockLimit",
    "ClockMover",
    "ClockRecord",
    "ClockSetting",
    "ClockStatus",
    "ClockStep",
    "SandboxClock",
    "advance_clock",
    "follow_clock",
    "get_clock",
    "hold_moved",
    "move_clock",
    "reset_sandbox",
    "set_clock",
    "time_of",
]
