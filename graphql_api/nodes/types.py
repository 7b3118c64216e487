"""What every record has."""

import strawberry


@strawberry.interface(description="A record of any kind.")
class Node:
    id: strawberry.ID
