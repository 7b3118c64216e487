"""What a caller may ask of short links."""

from pydantic import Field

from core.foundation.validation.inputs import QueryInput


class LinkFilter(QueryInput):
    """Whose links to list."""

    message_id: str = Field(description="The message that carries the links")
