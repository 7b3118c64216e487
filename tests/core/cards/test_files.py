"""Files of cards: nothing in the store without a record, no record without its bytes."""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from core.cards import files
from core.cards.files import attach
from core.foundation import files as file_store
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import Forbidden, NotFound, ServiceUnavailable, ValidationFailed
from core.foundation.files import StoreAway, Upload
from core.foundation.security.caller import Caller, Scope
from core.pipelines import create_pipeline
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_new_pipeline
from tests.factories.stored_cards import a_stored_card

pytestmark = pytest.mark.usefixtures("clean_slate")

UPLOAD = Upload("proposta.pdf", "application/pdf", b"%PDF-1.7\n" + b"\xe2" * 100)


async def a_card(caller: Caller) -> str:
    pipeline = await create_pipeline(caller, a_new_pipeline())
    return (await a_stored_card(caller, pipeline["etapas"][0])).id


async def stored(caller: Caller) -> list[bytes]:
    """The bytes in the store, of this organization."""
    folder = settings.current().data_dir / "blobs" / caller.organization_id
    return [path.read_bytes() for path in folder.glob("*")] if folder.exists() else []


async def unheld() -> int:
    found: int = await db.fetchval("SELECT count(*) FROM unheld_blobs")
    return found


async def test_a_file_is_attached_listed_and_deleted_with_its_bytes() -> None:
    caller = await a_caller()
    card = await a_card(caller)

    file = await files.attach_file(caller, card, UPLOAD)

    assert file["id"].startswith("arq_")
    assert file == {
        "id": file["id"],
        "cardId": card,
        "nome": "proposta.pdf",
        "mimeType": "application/pdf",
        "tamanho": len(UPLOAD.content),
        "sha256": sha256(UPLOAD.content).hexdigest(),
        "createdById": caller.account_id or caller.organization_id,
        "createdAt": file["createdAt"],
    }
    assert await stored(caller) == [UPLOAD.content]
    assert await unheld() == 0
    page = await files.list_files(caller, card, files.FilePage())
    assert page["total"] == 1
    assert page["items"] == [{**file, "url": page["items"][0]["url"]}]

    await files.remove_file(caller, file["id"])

    assert await stored(caller) == []
    assert await unheld() == 0
    assert await files.list_files(caller, card, files.FilePage()) == {"items": [], "total": 0}
    with pytest.raises(NotFound):
        await files.remove_file(caller, file["id"])


async def test_files_are_listed_newest_first_page_by_page() -> None:
    caller = await a_caller()
    card = await a_card(caller)
    ids = [(await files.attach_file(caller, card, UPLOAD))["id"] for _ in range(3)]
    rows = await db.fetch("SELECT id FROM card_files ORDER BY created_at DESC, id DESC")
    newest_first = [row["id"] for row in rows]

    first = await files.list_files(caller, card, files.FilePage(limit=2))
    second = await files.list_files(
        caller, card, files.FilePage(limit=2, cursor=first["nextCursor"])
    )
    skipped = await files.list_files(caller, card, files.FilePage(limit=2, skip=2))

    assert sorted(ids) == sorted(newest_first)
    assert [file["id"] for file in first["items"] + second["items"]] == newest_first
    assert second["items"] == skipped["items"]
    assert second["total"] == 3
    assert "nextCursor" not in second


async def test_a_card_holds_so_many_files_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert attach.MAX_FILES == 50
    monkeypatch.setattr(attach, "MAX_FILES", 2)
    caller = await a_caller()
    card = await a_card(caller)
    for _ in range(2):
        await files.attach_file(caller, card, UPLOAD)

    with pytest.raises(ValidationFailed) as refused:
        await files.attach_file(caller, card, UPLOAD)

    assert [error.code for error in refused.value.errors] == ["too_many"]
    assert len(await stored(caller)) == 2
    assert await unheld() == 0


@pytest.mark.parametrize(
    "whose", ["another organization", "the other environment", "nobody", "no id"]
)
async def test_cards_and_files_of_others_do_not_exist(whose: str) -> None:
    owner = await a_caller("test")
    card = await a_card(owner)
    file = (await files.attach_file(owner, card, UPLOAD))["id"]
    stranger = await a_caller("test")
    match whose:
        case "the other environment":
            stranger = await a_caller("live", organization_id=owner.organization_id)
        case "nobody":
            stranger, card, file = owner, card[:-1] + "~", file[:-1] + "~"
        case "no id":
            stranger, card, file = owner, "x", "x"

    for use_case in (
        files.attach_file(stranger, card, UPLOAD),
        files.list_files(stranger, card, files.FilePage()),
        files.remove_file(stranger, file),
    ):
        with pytest.raises(NotFound):
            await use_case
    assert await stored(owner) == [UPLOAD.content]
    assert await stored(stranger) in (
        [],
        [UPLOAD.content] if stranger.organization_id == owner.organization_id else [],
    )


async def test_each_operation_wants_its_scope() -> None:
    for scope, use_case in (
        (Scope.CRM_READ, lambda caller: files.list_files(caller, "x", files.FilePage())),
        (Scope.CRM_WRITE, lambda caller: files.attach_file(caller, "x", UPLOAD)),
        (Scope.CRM_DELETE, lambda caller: files.remove_file(caller, "x")),
    ):
        caller = await a_caller(scopes=frozenset(Scope) - {scope})
        with pytest.raises(Forbidden) as refused:
            await use_case(caller)
        assert refused.value.meta == {"escopoExigido": scope.value}


class Store:
    """A store that fails, or lets something happen, while it stores."""

    def __init__(self, meanwhile: Any) -> None:
        self._meanwhile = meanwhile
        self.deleted: list[str] = []

    async def put(self, _key: str, _content: bytes) -> None:
        await self._meanwhile()

    async def delete(self, keys: Sequence[str]) -> None:
        self.deleted += keys


def use(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    monkeypatch.setattr("core.foundation.files.shared._store", store)


async def test_a_store_that_fails_leaves_no_record_and_the_sweep_clears_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail() -> None:
        raise StoreAway

    use(monkeypatch, store := Store(fail))
    caller = await a_caller()
    card = await a_card(caller)

    with pytest.raises(StoreAway):
        await files.attach_file(caller, card, UPLOAD)

    assert await db.fetchval("SELECT count(*) FROM card_files") == 0
    assert await file_store.remove_due(at=now()) == 0  # an upload may still be under way
    assert await file_store.remove_due(at=now() + timedelta(hours=1, seconds=1)) == 1
    assert len(store.deleted) == 1
    assert await unheld() == 0


async def test_a_card_that_is_deleted_during_the_upload_gets_no_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    card = await a_card(caller)

    async def delete_the_card() -> None:
        await db.execute("DELETE FROM card_history WHERE card_id = $1", card)
        await db.execute("DELETE FROM cards WHERE id = $1", card)

    use(monkeypatch, Store(delete_the_card))

    with pytest.raises(NotFound):
        await files.attach_file(caller, card, UPLOAD)

    assert await db.fetchval("SELECT count(*) FROM card_files") == 0
    assert await unheld() == 1


async def test_an_upload_that_the_sweep_took_for_dead_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def sweep() -> None:
        assert await file_store.remove_due(at=now() + timedelta(hours=2)) == 1

    use(monkeypatch, Store(sweep))
    caller = await a_caller()
    card = await a_card(caller)

    with pytest.raises(ServiceUnavailable):
        await files.attach_file(caller, card, UPLOAD)

    assert await db.fetchval("SELECT count(*) FROM card_files") == 0


async def test_what_cannot_be_removed_now_is_left_to_the_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    file = (await files.attach_file(caller, await a_card(caller), UPLOAD))["id"]

    class Away(Store):
        async def delete(self, _keys: Sequence[str]) -> None:
            raise StoreAway

    async def nothing() -> None:
        pass

    with monkeypatch.context() as away:
        use(away, Away(nothing))
        await files.remove_file(caller, file)
        assert await unheld() == 1
        with pytest.raises(StoreAway):
            await file_store.remove_due(at=now())

    assert await file_store.remove_due(at=now()) == 1
    assert await stored(caller) == []


async def test_the_files_of_deleted_cards_go_with_them() -> None:
    caller = await a_caller()
    card, other = await a_card(caller), await a_card(caller)
    for id in (card, card, other):
        await files.attach_file(caller, id, UPLOAD)

    async with transaction():
        assert await files.remove_files_of(caller, [card]) == 2
    assert await file_store.remove_due(at=now()) == 2

    assert len(await stored(caller)) == 1
    assert (await files.list_files(caller, other, files.FilePage()))["total"] == 1
