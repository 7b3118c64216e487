"""Inputs of media."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from core.foundation.validation.inputs import Input, QueryInput

MEDIA_TYPE = (
    r"^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}( *;[ -~]*)?$"
)


def _is_yes(value: object) -> bool:
    return str(value).strip().lower() in ("1", "true")


Yes = Annotated[bool, BeforeValidator(_is_yes)]
"""`1` or `true`; anything else is no."""


class NewMedia(Input):
    """A file as JSON, read from the stream: the 140,000,000 characters of `dataBase64` never meet
    in memory.
    """

    filename: str = Field(
        min_length=1, max_length=255, description="Name of the file", examples=["nota.pdf"]
    )
    mime_type: str = Field(
        max_length=120,
        pattern=MEDIA_TYPE,
        description="Media type of the file; what its bytes say goes before it",
        examples=["application/pdf"],
    )
    data_base64: str = Field(
        alias="dataBase64",
        min_length=1,
        description="The bytes in base64 (RFC 4648, padded), up to 140,000,000 characters; white "
        "space is ignored",
        examples=["JVBERi0xLjcK"],
    )


class MediaQuery(QueryInput):
    """How the file of a message is wanted."""

    redirect: Yes = Field(
        default=False, description="`1` or `true`: 302 to our copy, where there is one"
    )
    download: Yes = Field(
        default=False, description="`1` or `true`: to be saved under a name, whatever it is"
    )
    filename: str | None = Field(
        default=None, description="The name to save it under, instead of its own"
    )
