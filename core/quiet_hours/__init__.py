"""Hours in which nobody is to be disturbed."""

from core.quiet_hours.stored import find_window, store_window
from core.quiet_hours.window import Window

__all__ = ["Window", "find_window", "store_window"]
