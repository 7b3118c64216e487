"""What the answers about messages of several channels have in common."""

from typing import Annotated, Any, TypedDict

from pydantic import WithJsonSchema

from core.foundation.records import Doc, Id
from core.foundation.validation.inputs import METADATA_SCHEMA

ContactOfMessage = Annotated[Id, Doc("The contact that it goes to")]
CampaignOfMessage = Annotated[str, Doc("A tag of your own for the messages of one campaign")]
MetadataOfMessage = Annotated[
    dict[str, Any], WithJsonSchema(METADATA_SCHEMA), Doc("What your system sent along with it")
]
QuoteOfMessage = Annotated[str, Doc("The quote whose prices it paid at most")]


class Billing(TypedDict):
    """What a send costs."""

    coins: Annotated[int, Doc("1 coin = 0.0001 BRL")]
