"""The files of a card: proposals, contracts, pictures."""

from core.cards.files.attach import MAX_BYTES, attach_file
from core.cards.files.inputs import FilePage
from core.cards.files.listing import list_files
from core.cards.files.record import CardFilePage, CardFileRecord
from core.cards.files.remove import remove_file, remove_files_of

__all__ = [
    "MAX_BYTES",
    "CardFilePage",
    "CardFileRecord",
    "FilePage",
    "attach_file",
    "list_files",
    "remove_file",
    "remove_files_of",
]
