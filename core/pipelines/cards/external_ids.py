"""The caller's own ids of cards: the database decides who was first."""

from functools import partial

from core.foundation.database.unique_violations import first_come
from core.pipelines.cards.errors import CardExternalIdTaken

one_card_each = partial(first_come, {"cards_external_id_key": CardExternalIdTaken})
"""An id that another card has is refused. Raises CardExternalIdTaken."""
