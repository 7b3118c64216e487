"""After a new key, what an older one had encrypted is encrypted again, and the old key can go."""

import base64
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from importlib import import_module

import pytest

from core import contacts, operations, webhooks
from core.contacts import Contact, renew_documents
from core.contacts.documents import open_document
from core.email.models import OutboxEmail
from core.email.outgoing import unseal
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.security.caller import Caller
from core.foundation.security.keyring import keyring
from core.messaging import Message, Status
from core.messaging.models import WaitingMessage
from core.numbers import Number
from core.numbers.sender_accounts import sender_account_of
from core.operations import Renewal, renew_encryption
from core.sms import sealed_text
from core.webhooks import WebhookSubscription, renew_secrets
from core.webhooks.signing.secret_box import open_headers, signing_secrets
from tests.factories.emails import a_stored_email
from tests.factories.live import a_live_caller
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact
from tests.factories.stored_messages import stored_message
from tests.factories.webhooks import a_subscription
from tests.support.sql_tables import rows_of

pytestmark = pytest.mark.usefixtures("clean_slate")

OLD, NEW = b"o" * 32, b"n" * 32
UseKeys = Callable[..., None]


@pytest.fixture
def use_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[UseKeys]:
    """Gives this process these keys, newest first."""

    def use(*keys: bytes) -> None:
        monkeypatch.setenv(
            "SVC_ENCRYPTION_KEYS", ",".join(base64.b64encode(key).decode() for key in keys)
        )
        settings.current.cache_clear()
        keyring.cache_clear()

    yield use
    monkeypatch.undo()
    settings.current.cache_clear()
    keyring.cache_clear()


async def a_subscriber(caller: Caller) -> tuple[str, list[str]]:
    """A subscription with a header and two secrets, one of them running out; its id and what signs."""
    made = await a_subscription(caller, headers=[{"key": "X-Shop", "value": "secret of ours"}])
    id = made["webhook"]["id"]
    fresh = await webhooks.rotate_secret(caller, id, webhooks.SecretRotation(overlap_seconds=3600))
    return id, [fresh["secret"], made["reveal"]["secret"]]


async def a_person(caller: Caller) -> str:
    """A contact with two documents."""
    id = await stored_contact(caller)
    for column, plain in (("cpf_cipher", "52998224725"), ("birth_date_cipher", "1990-02-03")):
        await Contact.filter(id=id).update(**{column: contacts.seal_document(id, column, plain)})
    return id


async def test_the_old_key_can_go_once_everything_is_renewed(use_keys: UseKeys) -> None:
    use_keys(OLD)
    caller = await a_caller()
    (subscriber, secrets), person = await a_subscriber(caller), await a_person(caller)
    before = await Contact.get(id=person)

    use_keys(NEW, OLD)
    assert set(await operations.sealed_with()) - {_id_of_newest()}
    assert await renew_encryption() == Renewal(renewed=2, lost=0)

    use_keys(NEW)
    assert set(await operations.sealed_with()) == {_id_of_newest()}
    subscription = await WebhookSubscription.get(id=subscriber)
    assert signing_secrets(subscription, at=now() + timedelta(minutes=1)) == secrets
    assert open_headers(subscriber, subscription.headers) == {"X-Shop": "secret of ours"}
    contact = await Contact.get(id=person)
    assert open_document(person, "cpf_cipher", str(contact.cpf_cipher)) == "52998224725"
    assert (
        open_document(person, "birth_date_cipher", str(contact.birth_date_cipher)) == "1990-02-03"
    )
    assert contact.cnpj_cipher is None
    assert contact.updated_at == before.updated_at


async def test_what_the_newest_key_made_stays_as_it_is(use_keys: UseKeys) -> None:
    use_keys(NEW)
    caller = await a_caller()
    (subscriber, _), person = await a_subscriber(caller), await a_person(caller)
    before = (
        (await WebhookSubscription.get(id=subscriber)).secret_cipher,
        (await Contact.get(id=person)).cpf_cipher,
    )

    use_keys(NEW, OLD)
    assert await renew_encryption() == Renewal(renewed=0, lost=0)

    assert before == (
        (await WebhookSubscription.get(id=subscriber)).secret_cipher,
        (await Contact.get(id=person)).cpf_cipher,
    )


async def test_what_no_key_opens_is_counted_and_left_alone(use_keys: UseKeys) -> None:
    use_keys(OLD)
    caller = await a_caller()
    (subscriber, secrets), person = await a_subscriber(caller), await a_person(caller)

    use_keys(NEW)
    other, _ = await a_subscriber(caller)
    assert await renew_encryption() == Renewal(renewed=0, lost=2)

    use_keys(NEW, OLD)
    assert await renew_encryption() == Renewal(renewed=2, lost=0)
    assert signing_secrets(await WebhookSubscription.get(id=subscriber), at=now()) == secrets
    assert (await WebhookSubscription.get(id=other)).secret_cipher
    assert (await Contact.get(id=person)).cpf_cipher


async def test_every_batch_is_renewed(use_keys: UseKeys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("core.contacts.renew_documents"), "BATCH_SIZE", 2)
    monkeypatch.setattr(import_module("core.webhooks.subscriptions.renew_secrets"), "BATCH_SIZE", 2)
    use_keys(OLD)
    caller = await a_caller()
    for _ in range(4):
        await a_person(caller)
        await a_subscriber(caller)
    await stored_contact(caller)

    use_keys(NEW, OLD)
    assert (await renew_secrets(), await renew_documents()) == ((4, 0), (4, 0))
    assert set(await operations.sealed_with()) == {_id_of_newest()}


async def a_waiting_text(caller: Caller) -> Callable[[], Awaitable[object]]:
    """An SMS that leaves in a year; answers what opens it."""
    at = now()
    id = await stored_message(caller, at, status=Status.QUEUED)
    await Message.filter(id=id).update(sealed_text=sealed_text.seal(id, "Olá"))
    await WaitingMessage.create(
        message_id=id,
        **owned_by(caller),
        sender_id=f"sms:live:{caller.organization_id}",
        identity=b"",
        urgency=1,
        due_at=at + timedelta(days=365),
        created_at=at,
    )

    async def opened() -> object:
        return sealed_text.unseal(id, str((await Message.get(id=id)).sealed_text))

    return opened


async def a_waiting_letter(caller: Caller) -> Callable[[], Awaitable[object]]:
    """An e-mail of the outbox; answers what opens it."""
    id = await a_stored_email(caller)

    async def opened() -> object:
        return unseal(id, (await rows_of(OutboxEmail).get(message_id=id)).letter)

    return opened


async def a_token(caller: Caller) -> Callable[[], Awaitable[object]]:
    """A number with an access token of its own; answers what opens it."""
    id = (await a_number(caller, token="EAAB")).id

    async def opened() -> object:
        return sender_account_of(await Number.get(id=id))

    return opened


@pytest.mark.parametrize("a_secret", [a_waiting_text, a_waiting_letter, a_token])
async def test_what_waits_and_what_is_named_otherwise_is_noticed_and_renewed(
    use_keys: UseKeys, a_secret: Callable[[Caller], Awaitable[Callable[[], Awaitable[object]]]]
) -> None:
    use_keys(OLD)
    opened = await a_secret(await a_live_caller())
    before, old = await opened(), _id_of_newest()

    use_keys(NEW, OLD)
    assert await operations.sealed_with() == {old: 1}
    assert await renew_encryption() == Renewal(renewed=1, lost=0)

    use_keys(NEW)
    assert await operations.sealed_with() == {_id_of_newest(): 1}
    assert await opened() == before


@pytest.mark.parametrize("a_secret", [a_waiting_text, a_waiting_letter])
async def test_what_waits_and_no_key_opens_is_counted_and_left_alone(
    use_keys: UseKeys,
    monkeypatch: pytest.MonkeyPatch,
    a_secret: Callable[[Caller], Awaitable[Callable[[], Awaitable[object]]]],
) -> None:
    monkeypatch.setattr(import_module("core.messaging.renew_texts"), "BATCH_SIZE", 1)
    monkeypatch.setattr(import_module("core.email.renew_letters"), "BATCH_SIZE", 1)
    caller = await a_live_caller()
    use_keys(OLD)
    first, second = await a_secret(caller), await a_secret(caller)

    use_keys(NEW)
    assert await renew_encryption() == Renewal(renewed=0, lost=2)

    use_keys(NEW, OLD)
    assert await renew_encryption() == Renewal(renewed=2, lost=0)
    assert await first()
    assert await second()


async def test_a_key_that_only_a_header_needs_is_noticed(use_keys: UseKeys) -> None:
    use_keys(OLD)
    caller = await a_caller()
    subscriber, _ = await a_subscriber(caller)
    headers = (await WebhookSubscription.get(id=subscriber)).headers
    use_keys(NEW, OLD)
    await renew_encryption()

    await WebhookSubscription.filter(id=subscriber).update(headers=headers)

    assert len(await operations.sealed_with()) == 2


def _id_of_newest() -> str:
    return keyring().encrypt("", context="").partition(".")[0]
