"""The three operations of files."""

from core.cards import files
from core.foundation.files import Upload
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.card_files import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import CARD, FILE


async def list_files(
    call: Call[None, files.FilePage],
) -> WrittenPage[files.CardFilePage]:
    return await files.list_files(call.caller, call.path["id"], call.query)


async def attach_file(call: Call[Upload]) -> files.CardFileRecord:
    return await files.attach_file(call.caller, call.path["id"], call.body)


async def remove_file(call: Call) -> None:
    await files.remove_file(call.caller, call.path["id"])


operations = (
    Operation(
        "GET",
        "/cards/{id}/arquivos",
        list_files,
        scope=Scope.CRM_READ,
        summary="List the files of a card",
        tag="Cards",
        errors=(401, 403, 404, 422),
        query=files.FilePage,
        answer=files.CardFilePage,
        answers={"one file": examples.PAGE},
        ids={"id": CARD},
    ),
    Operation(
        "POST",
        "/cards/{id}/arquivos",
        attach_file,
        scope=Scope.CRM_WRITE,
        summary="Attach a file to a card",
        tag="Cards",
        errors=(401, 403, 404, 413, 415, 422),
        status=201,
        takes_file=True,
        body_limit=files.MAX_BYTES,
        answer=files.CardFileRecord,
        answers={"attached": examples.FILE_RECORD},
        ids={"id": CARD},
        description="The body is the file itself, up to 25 MB; a card holds up to 50.",
    ),
    Operation(
        "DELETE",
        "/arquivos/{id}",
        remove_file,
        scope=Scope.CRM_DELETE,
        summary="Delete a file",
        tag="Cards",
        errors=(401, 403, 404, 422),
        status=204,
        ids={"id": FILE},
    ),
)
