"""The caller's own ids of cards: the database decides who was first."""

from functools import partial

from core.cards.errors import CardExternalIdTaken
from core.foundation.database.unique_violations import conflict_as

one_card_each = partial(conflict_as, {"cards_external_id_key": CardExternalIdTaken})
"""An id that another card has is refused. Raises CardExternalIdTaken."""
