"""Decisions: CRM, operations 23 to 25, the files of a card."""

from core.cards import files
from core.cards.models import CardFile
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.files import Upload
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from tests.contract.rows.cards import a_card
from tests.contract.table import Endpoint, Page, Refusal
from tests.contract.world import World

PDF = b"%PDF-1.7\n" + bytes(range(128, 256))
UPLOAD = Upload("proposta.pdf", "application/pdf", PDF)


async def a_file(caller: Caller) -> str:
    """The id of a file of a card."""
    return str((await files.attach_file(caller, await a_card(caller), UPLOAD))["id"])


RECORDS = {"file": a_file}

# Every operation of the CRM lists 422, also those that take nothing in which something could be
# wrong.
ENDPOINTS = [
    Endpoint(
        address="GET /cards/{id}/arquivos",
        scope="crm:read",
        errors="401 403 404 422",
        ids={"id": "<card>"},
        parameters="limit* skip* cursor",
    ),
    Endpoint(
        address="POST /cards/{id}/arquivos",
        scope="crm:write",
        status=201,
        errors="401 403 404 413 415 422",
        ids={"id": "<card>"},
        file=PDF,
        body_limit=25_000_000,
    ),
    Endpoint(
        address="DELETE /arquivos/{id}",
        scope="crm:delete",
        errors="401 403 404 422",
        status=204,
        ids={"id": "<file>"},
        never="422",
    ),
]


async def some_files(world: World, count: int) -> None:
    """So many files of the card, more than it may hold."""
    [card] = (await world.fill({"id": "<card>"})).values()
    rows = [
        CardFile(
            id=new_id("arq"),
            card_id=card,
            name="proposta.pdf",
            mime_type="application/pdf",
            size=1,
            sha256="0" * 64,
            blob_key="never/stored",
            created_by_id=world.caller.organization_id,
            created_at=now(),
            **owned_by(world.caller),
        )
        for _ in range(count)
    ]
    await CardFile.bulk_create(rows)


PAGES = [Page(address="GET /cards/{id}/arquivos", fill=some_files)]


async def a_full_card(world: World) -> None:
    """The card holds as many files as it may."""
    await some_files(world, 50)


ATTACH = "POST /cards/{id}/arquivos"
REFUSALS = [
    Refusal(address=ATTACH, status=413, headers={"Content-Length": "25000001"}),
    *(
        Refusal(address=ATTACH, status=415, headers={"Content-Type": content_type})
        for content_type in (
            "application/pdf",
            "application/json",
            "multipart/form-data; boundary=x",
        )
    ),
    Refusal(
        address=ATTACH,
        status=422,
        headers={"x-filename": "", "x-content-type": ""},
        wrong={"#x-filename": "required", "#x-content-type": "required"},
    ),
    *(
        Refusal(
            address=ATTACH,
            status=422,
            headers={"x-filename": name, "x-content-type": "pdf"},
            wrong={"#x-filename": "wrong_format", "#x-content-type": "wrong_format"},
        )
        for name in ("%ff", "a" * 256)
    ),
    Refusal(address=ATTACH, status=422, content=b"", wrong={"": "required"}),
    Refusal(
        address=ATTACH, status=422, headers={"x-filename": ...}, wrong={"#x-filename": "required"}
    ),
    Refusal(
        address=ATTACH,
        status=422,
        headers={"x-content-type": "pdf"},
        wrong={"#x-content-type": "wrong_format"},
    ),
    Refusal(address=ATTACH, status=422, before=a_full_card, wrong={"": "too_many"}),
]
