"""A person's data, as the file that is handed to them."""

import orjson
import strawberry

from core import privacy
from core.foundation.security.caller import Caller, Scope
from graphql_api.mutations import mutation_field, mutation_type


@strawberry.type(
    description="Everything that is stored of a contact, in clear: what `GET /contacts/{id}/dados` tells."
)
class PersonalDataFile:
    filename: str = strawberry.field(description="What the file may be called: it names nobody")
    media_type: str = strawberry.field(description="What the text is: application/json")
    content: str = strawberry.field(description="The file, whole: the text of a JSON document")


async def _file(caller: Caller, id: str) -> dict[str, str]:
    exported = await privacy.export_contact(caller, id)
    return {
        "filename": f"{id}.json",
        "mediaType": "application/json",
        "content": orjson.dumps(exported, option=orjson.OPT_INDENT_2).decode(),
    }


@mutation_type
class PersonalDataQueries:
    personal_data: PersonalDataFile | None = mutation_field(
        _file,
        heavy=True,
        scope=Scope.CONTACTS_PII,
        ids=("id",),
        of="contact",
        description=(
            "What is stored of a person, for the person (LGPD, right of access). In a session only, "
            "and each export is audited."
        ),
    )
