"""Cards at the root."""

import strawberry

from core.dashboards.cards import CARD
from graphql_api.cards.inputs import CardFilter, CardOrder
from graphql_api.cards.types import Card
from graphql_api.connections import Connection, reads_one, reads_page


@strawberry.type
class CardQueries:
    card: Card | None = reads_one(CARD)
    cards: Connection[Card] | None = reads_page(
        CARD, filter=CardFilter, order=CardOrder, description="Newest first unless told otherwise"
    )
