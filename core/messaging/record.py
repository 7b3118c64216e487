"""What the answers about messages of several channels have in common."""

from typing import Annotated, TypedDict

from core.foundation.records import Doc


class Billing(TypedDict):
    """What a send costs."""

    coins: Annotated[int, Doc("1 coin = 0.0001 BRL")]
