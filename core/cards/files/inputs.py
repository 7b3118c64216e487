"""What the file operations take."""

from core.foundation.validation.inputs import SkipPage


class FilePage(SkipPage):
    """A page of a card's files."""
