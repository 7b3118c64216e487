"""The caller's own ids of cards: the database decides who was first."""

from functools import partial

from core.cards.errors import CardExternalIdTaken
from core.foundation.database.unique_violations import first_come

one_card_each = partial(first_come, {"cards_external_id_key": CardExternalIdTaken})
"""An id that another card has is refused. Raises CardExternalIdTaken."""
