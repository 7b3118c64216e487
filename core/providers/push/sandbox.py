"""The sandbox's push service: the end of a token chooses what becomes of the notification."""

from enum import StrEnum


class Ending(StrEnum):
    """Any other is delivered."""

    FAIL = ":fail"
    GONE = ":gone"
    SILENT = ":silent"
