"""Inputs of templates."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, ValidationInfo

from core.foundation.validation.inputs import Changes, Input, KeptWhenLeftOut, SkipPage
from core.foundation.validation.json_field import FreeObject, at_most_bytes
from core.foundation.validation.validation_errors import faults
from core.templates.models import (
    ComponentType,
    TemplateCategory,
    TemplateLanguage,
    TemplateStatus,
)
from core.templates.validation.components import KINDS, defects_of

MAX_PAYLOAD_BYTES = 50_000
"""Bytes as JSON. A carousel of ten cards needs a tenth of it."""


class TemplateComponent(Input):
    """A part of a template."""

    type: ComponentType = Field(description="Which part it is; each stands at most once")
    payload: Annotated[FreeObject, at_most_bytes(MAX_PAYLOAD_BYTES)] | None = Field(
        default=None,
        description=(
            "HEADER {format, text, example}, BODY {text, example}, FOOTER {text}, BUTTONS "
            "{buttons}; "
            "CAROUSEL and LIMITED_TIME_OFFER are kept as they are given"
        ),
    )


def stored_components(components: list[TemplateComponent]) -> list[dict[str, object]]:
    """As they are kept and shown."""
    return [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in components]


def _without_defects(
    components: list[TemplateComponent], info: ValidationInfo
) -> list[TemplateComponent]:
    """What depends on the category too, where the body tells it; else the use case, which knows it,
    looks at that.
    """
    defects = defects_of(stored_components(components), info.data.get("category"))
    if defects:
        raise faults((one.place, one.code, one.message) for one in defects)
    return components


Name = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9_]+$", min_length=1, max_length=512),
    Field(description="What it is called on the platform"),
]
Components = Annotated[
    list[TemplateComponent],
    Field(min_length=1, max_length=len(KINDS)),
    AfterValidator(_without_defects),
]
ExampleUrl = Annotated[
    str,
    StringConstraints(pattern=r"^https://[^\s]+$", max_length=2048),
    Field(description="https address of an example of the header's file"),
]
Category = Annotated[TemplateCategory, Field(description="What it is for")]
Language = Annotated[TemplateLanguage, Field(description="The language that it is written in")]
PARTS = "Its parts; a BODY is one of them"


class NewTemplate(Input):
    """A template to write; it is submitted apart."""

    number_id: Annotated[str, StringConstraints(min_length=1, max_length=30)] = Field(
        description="The number that it is to be sent from"
    )
    name: Name
    language: Language
    category: Category
    components: Components = Field(description=PARTS)
    header_example_url: ExampleUrl | None = None


class TemplateChanges(Changes):
    """What to change of a template. Name and language stay once it was submitted."""

    name: KeptWhenLeftOut[Name] = None
    language: KeptWhenLeftOut[Language] = None
    category: KeptWhenLeftOut[Category] = None
    components: KeptWhenLeftOut[Components] = Field(default=None, description=PARTS)
    header_example_url: ExampleUrl | None = None


class TemplateFilter(SkipPage):
    """Which templates to list, newest first."""

    status: TemplateStatus | None = Field(
        default=None, description="Only an approved one may be sent"
    )
    category: TemplateCategory | None = Field(
        default=None, description="Templates of this category only"
    )
    language: TemplateLanguage | None = Field(
        default=None, description="Templates in this language only"
    )
    number_id: str | None = Field(default=None, description="Templates of this number only")
