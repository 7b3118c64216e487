"""Senders: a domain is shown by its TXT record, an address by the code of a letter; each once, in time."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any

import pytest

from core import email
from core.email.errors import (
    CodeNotSent,
    InvalidCode,
    NoVerifiedSender,
    TooManySenderRequests,
    TooManySenders,
    VerificationExpired,
)
from core.email.models import SenderVerification
from core.email.senders import sender_for
from core.email.senders.limits import CODES_PER_HOUR
from core.email.senders.request import KEPT, MAX_WAITING
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller, Scope
from core.foundation.text_records import (
    MAX_AT_ONCE,
    DnsTextRecords,
    LookUpFailed,
    text_records,
    use_text_records,
)
from tests.core.people.email_texts import the_letter
from tests.factories.emails import a_requested_sender, an_email
from tests.factories.live import a_live_caller
from tests.factories.organizations import a_caller
from tests.fakes.name_server import FAULT, SILENCE, NameServer, a_name_server
from tests.fakes.relay import Relay
from tests.support.graphql import bare, data_of, refused
from tests.support.refusals import nothing_changed
from tests.support.told import audited

pytestmark = pytest.mark.usefixtures("clean_slate", "own_buckets")

DOMAIN = "@padaria.example"
NAME = "_svc-sender.padaria.example"
ADDRESS = "ana@padaria.example"
TABLES = (
    "email_senders",
    "email_sender_verifications",
    "audit_entries",
    "messages",
    "email_letters",
)


@pytest.fixture
def own_buckets() -> None:
    """Full buckets of this test alone."""
    rate_limit.use_buckets(rate_limit.LocalBuckets())


@pytest.fixture
async def name_server() -> AsyncIterator[NameServer]:
    """The name server that every domain is looked up at. It has a third of a second."""
    async with a_name_server() as server:
        use_text_records(DnsTextRecords(["127.0.0.1"], port=server.port, seconds=0.3))
        yield server
        use_text_records(None)


@pytest.fixture
def our_address(relay: Relay, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The installation's own address for letters."""
    with monkeypatch.context() as patched:
        patched.setenv("SVC_ACCOUNT_LETTERS_FROM", "no-reply@svc.test")
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()


async def request(caller: Caller, address: str = DOMAIN, **more: Any) -> email.RequestedSender:
    return await email.request_sender(caller, email.SenderRequest(address=address, **more))


async def prove(caller: Caller, id: str, code: str | None = None) -> email.SenderRecord:
    return await email.prove_sender(caller, id, email.SenderProof(code=code))


async def listed(caller: Caller, **query: Any) -> list[dict[str, Any]]:
    page = await email.list_senders(caller, email.SenderFilter.model_validate(query))
    assert page["total"] == len(page["items"])
    items: list[dict[str, Any]] = page["items"]
    return items


async def writes_from(caller: Caller, address: str) -> bool:
    """Whether an e-mail from there is accepted."""
    try:
        await an_email(caller, **{"from": address})
    except NoVerifiedSender:
        return False
    return True


async def expire(id: str, *, by: timedelta = timedelta(seconds=1)) -> None:
    await SenderVerification.filter(id=id).update(expires_at=now() - by)


# By a TXT record ----------------------------------------------------------------------------------


async def test_a_domain_is_verified_once_its_record_is_found(
    name_server: NameServer, relay: Relay
) -> None:
    caller = await a_live_caller()
    asked = await request(caller)
    assert (asked["status"], asked["method"], asked.get("txtName")) == ("pending", "dns", NAME)
    assert await prove(caller, asked["id"]) == (await listed(caller))[0]
    assert not await writes_from(caller, "loja@padaria.example")

    name_server.records[NAME] = [
        "v=spf1 -all",
        f"{asked['txtValue'][:20]}|{asked['txtValue'][20:]}",
    ]
    shown = await prove(caller, asked["id"])

    assert (shown["id"], shown["status"]) == (asked["id"], "verified")
    assert shown["createdAt"] == asked["createdAt"]
    assert shown.keys() & {"expiresAt", "checkedAt", "lastCheck"} == set()
    assert await writes_from(caller, "loja@padaria.example")
    assert not await writes_from(caller, "loja@sub.padaria.example")
    assert await listed(caller) == [shown] == await listed(caller, status="verified")
    assert set(name_server.asked) == {NAME}


@pytest.mark.parametrize(
    ("records", "outcome"),
    [
        (None, "not_found"),
        ([], "not_found"),
        (["svc-sender=0000"], "other_value"),
        (["v=spf1 -all", "svc-sender=0000", "x" * 200], "other_value"),
        (SILENCE, "timeout"),
        (FAULT, "failed"),
    ],
)
async def test_what_is_not_the_record_leaves_it_pending_and_says_what_was_found(
    name_server: NameServer, records: list[str] | str | None, outcome: str
) -> None:
    caller = await a_caller("live")
    asked = await request(caller)
    if records is not None:
        name_server.records[NAME] = records

    shown = await prove(caller, asked["id"])

    assert (shown["status"], shown.get("lastCheck")) == ("pending", outcome)
    assert shown == await email.get_sender(caller, asked["id"])
    assert await audited(caller.organization_id, "email_sender.verified") == []


async def test_a_look_up_leaves_other_work_alone_and_few_are_under_way_at_once(
    name_server: NameServer,
) -> None:
    names = [f"slow{n}.example" for n in range(40)]
    name_server.records |= dict.fromkeys(names, SILENCE) | {"quick.example": ["here"]}
    asked = [asyncio.create_task(text_records().texts(name)) for name in names]

    outcomes = await asyncio.gather(*asked, return_exceptions=True)

    assert all(isinstance(one, LookUpFailed) and one.timed_out for one in outcomes)
    begun = {name for name in name_server.asked if name.startswith("slow")}
    assert MAX_AT_ONCE <= len(begun) < len(names), (
        "whoever got no place in time was not asked about"
    )
    assert await text_records().texts("quick.example") == ["here"]


async def test_each_organization_and_environment_shows_a_domain_for_itself(
    name_server: NameServer,
) -> None:
    caller = await a_caller("live")
    others = [
        await a_caller("live"),
        await a_caller("test", organization_id=caller.organization_id),
    ]
    asked = await request(caller)
    name_server.records[NAME] = [asked["txtValue"]]
    await prove(caller, asked["id"])

    for other in others:
        assert await listed(other) == []
        for use_case in (
            email.get_sender(other, asked["id"]),
            prove(other, asked["id"]),
            email.remove_sender(other, asked["id"]),
        ):
            with pytest.raises(NotFound):
                await use_case
    theirs = await request(others[0])
    assert theirs["txtValue"] != asked["txtValue"]
    assert (await prove(others[0], theirs["id"])).get("lastCheck") == "other_value"
    with pytest.raises(NoVerifiedSender):
        await sender_for(others[0], "loja@padaria.example")


async def test_the_record_stays_the_same_when_a_domain_is_asked_for_again() -> None:
    caller = await a_caller("live")
    first = await request(caller)
    await expire(first["id"])

    again = await request(caller)

    assert (again["id"], again["status"]) == (first["id"], "pending")
    assert again["txtValue"] == first["txtValue"]
    assert len(await listed(caller)) == 1


async def test_what_has_expired_is_asked_for_again(name_server: NameServer) -> None:
    caller = await a_caller("live")
    asked = await request(caller)
    name_server.records[NAME] = [asked["txtValue"]]
    await expire(asked["id"])

    async with nothing_changed(*TABLES):
        with pytest.raises(VerificationExpired):
            await prove(caller, asked["id"])

    assert [one["id"] for one in await listed(caller, status="expired")] == [asked["id"]]
    assert await listed(caller, status="pending") == []
    assert name_server.asked == []


# The sweep ----------------------------------------------------------------------------------------


async def test_the_sweep_finds_the_record_of_what_waits(name_server: NameServer) -> None:
    caller = await a_caller("live")
    asked = await request(caller)
    assert await email.check_senders(at=now()) == 0, "it was just asked for"
    later = now() + timedelta(minutes=2)
    assert await email.check_senders(at=later) == 1
    assert (await email.get_sender(caller, asked["id"])).get("lastCheck") == "not_found"
    assert await email.check_senders(at=now()) == 0, "it looks again later"

    name_server.records[NAME] = [asked["txtValue"]]
    assert await email.check_senders(at=later + timedelta(hours=1)) == 1

    assert (await email.get_sender(caller, asked["id"]))["status"] == "verified"
    (entry,) = await audited(caller.organization_id, "email_sender.verified")
    assert entry["actor_kind"] == "system"
    assert await email.check_senders(at=later + timedelta(days=400)) == 0


async def test_the_sweep_leaves_what_has_expired_and_forgets_it_a_month_later(
    name_server: NameServer,
) -> None:
    caller = await a_caller("live")
    asked = await request(caller)
    name_server.records[NAME] = [asked["txtValue"]]
    await expire(asked["id"])

    assert await email.check_senders(at=now() + timedelta(minutes=2)) == 1
    assert [one["status"] for one in await listed(caller)] == ["expired"]
    assert name_server.asked == []
    assert await email.check_senders(at=now() + timedelta(days=1)) == 0
    assert await email.check_senders(at=now() + KEPT) == 1
    assert await listed(caller) == []


async def test_a_fault_with_one_stops_none_of_the_others() -> None:
    class Faulty:
        async def texts(self, name: str) -> list[str]:
            if name == NAME:
                raise RuntimeError("a fault of ours")
            return []

    use_text_records(Faulty())
    caller = await a_caller("live")
    for address in (DOMAIN, "@outra.example"):
        await request(caller, address)

    assert await email.check_senders(at=now() + timedelta(minutes=2)) == 2

    checks = {one["address"]: one.get("lastCheck") for one in await listed(caller)}
    assert checks == {DOMAIN: None, "@outra.example": "not_found"}
    use_text_records(None)


# By a letter --------------------------------------------------------------------------------------

CODE = re.compile(r"^([0-9A-Za-z]{16})\s*$", re.MULTILINE)


async def code_of(relay: Relay) -> str:
    found = CODE.search((await the_letter(relay)).get_content())
    assert found is not None
    return found[1]


@pytest.mark.usefixtures("our_address")
async def test_an_address_is_verified_by_the_code_of_a_letter_which_works_once(
    relay: Relay,
) -> None:
    caller = await a_live_caller()
    asked = await request(caller, "Ana@Padaria.example")
    assert (asked["address"], asked["method"]) == (ADDRESS, "email")
    assert asked.keys() & {"sandboxCode", "txtName", "txtValue"} == set()
    letter = await the_letter(relay)
    assert (letter["To"], letter["From"]) == (ADDRESS, "no-reply@svc.test")
    assert letter["Subject"] == "Confirme o endereço de remetente de An organization"
    code = await code_of(relay)
    assert not await writes_from(caller, ADDRESS)

    shown = await prove(caller, asked["id"], code)

    assert (shown["id"], shown["status"], shown["method"]) == (asked["id"], "verified", "email")
    assert await writes_from(caller, f"Ana <{ADDRESS}>")
    assert not await writes_from(caller, "bia@padaria.example")
    async with nothing_changed(*TABLES):
        with pytest.raises(InvalidCode):
            await prove(caller, asked["id"], code)


@pytest.mark.usefixtures("our_address")
async def test_the_letter_is_english_where_that_is_asked(relay: Relay) -> None:
    await request(await a_live_caller(), ADDRESS, language="en")

    letter = await the_letter(relay)
    assert letter["Subject"] == "Confirm the sender address of An organization"
    assert "within 24 hours" in letter.get_content()


@pytest.mark.usefixtures("our_address")
async def test_a_newer_letter_ends_the_older_code(relay: Relay) -> None:
    caller = await a_live_caller()
    asked = await request(caller, ADDRESS)
    older = await code_of(relay)
    await request(caller, ADDRESS)
    newer = await code_of(relay)
    assert older != newer
    with pytest.raises(InvalidCode):
        await prove(caller, asked["id"], older)
    assert (await prove(caller, asked["id"], newer))["status"] == "verified"


async def test_a_code_lives_a_day_and_opens_one_sender() -> None:
    caller = await a_caller()
    ana, bia = [await request(caller, f"{name}@padaria.example") for name in ("ana", "bia")]
    with pytest.raises(InvalidCode):
        await prove(caller, bia["id"], ana["sandboxCode"])
    await expire(ana["id"])
    async with nothing_changed(*TABLES):
        with pytest.raises(InvalidCode):
            await prove(caller, ana["id"], ana["sandboxCode"])
    assert (await prove(caller, bia["id"], bia["sandboxCode"]))["status"] == "verified"


async def test_the_code_is_kept_by_its_hash_alone() -> None:
    asked = await request(await a_caller(), ADDRESS)
    kept = await db.fetchval("SELECT v::text FROM email_sender_verifications v")
    assert asked["sandboxCode"] not in kept


async def test_where_no_letter_would_arrive_nothing_is_stored() -> None:
    caller = await a_caller("live")
    async with nothing_changed(*TABLES):
        with pytest.raises(CodeNotSent):
            await request(caller, ADDRESS)


@pytest.mark.usefixtures("our_address")
async def test_an_address_gets_few_letters_whoever_asks_for_them(relay: Relay) -> None:
    for _ in range(CODES_PER_HOUR):
        await request(await a_live_caller(), ADDRESS)
    caller = await a_live_caller()
    async with nothing_changed(*TABLES):
        with pytest.raises(TooManySenderRequests) as limited:
            await request(caller, ADDRESS)
    assert limited.value.retry_after is not None
    assert (await request(await a_live_caller(), f"bia{ADDRESS}"))["status"] == "pending"


# Whatever it is -----------------------------------------------------------------------------------


async def test_the_sandbox_finds_every_record_but_one() -> None:
    caller = await a_caller()
    good, bad = [await request(caller, at) for at in (DOMAIN, "@unverified.test")]
    assert (await prove(caller, good["id"]))["status"] == "verified"
    shown = await prove(caller, bad["id"])
    assert (shown["status"], shown.get("lastCheck")) == ("pending", "not_found")


async def test_what_is_verified_stays_so_when_it_is_asked_for_again() -> None:
    caller = await a_caller()
    asked = await request(caller)
    shown = await prove(caller, asked["id"])
    for again in (await request(caller), await prove(caller, asked["id"])):
        assert again == shown


@pytest.mark.parametrize("verified", [True, False])
async def test_a_sender_is_removed_whether_or_not_it_is_verified(verified: bool) -> None:
    caller = await a_caller()
    asked = await request(caller)
    if verified:
        await prove(caller, asked["id"])

    await email.remove_sender(caller, asked["id"])

    assert await listed(caller) == []
    for use_case in (email.get_sender(caller, asked["id"]), prove(caller, asked["id"])):
        with pytest.raises(NotFound):
            await use_case
    with pytest.raises(NotFound):
        await email.remove_sender(caller, asked["id"])


async def test_what_was_removed_while_it_was_looked_for_stays_removed() -> None:
    caller = await a_caller("live")
    asked = await request(caller)

    class Slow:
        async def texts(self, _: str) -> list[str]:
            await email.remove_sender(caller, asked["id"])
            return [asked["txtValue"]]

    use_text_records(Slow())
    with pytest.raises(NotFound):
        await prove(caller, asked["id"])
    use_text_records(None)

    assert await listed(caller) == []
    assert await audited(caller.organization_id, "email_sender.verified") == []


async def test_what_an_operator_verified_before_there_were_ids_has_one() -> None:
    caller = await a_caller("live")
    await db.execute(
        "INSERT INTO email_senders (organization_id, env, address, verified_at) VALUES ($1, 'live', $2, $3)",
        caller.organization_id,
        ADDRESS,
        now(),
    )
    (one,) = await listed(caller)
    assert (one["method"], one["status"]) == ("operator", "verified")
    assert one == await email.get_sender(caller, one["id"])
    assert (await request(caller, ADDRESS))["id"] == one["id"]
    await email.remove_sender(caller, one["id"])
    assert await listed(caller) == []


async def test_an_operator_verifies_what_waits_under_its_id() -> None:
    caller = await a_caller("live")
    asked = await request(caller)

    verified = await email.verify_sender(caller, email.NewSender(address=DOMAIN))

    assert (verified["id"], verified["method"]) == (asked["id"], "operator")
    assert await listed(caller) == [verified]


async def test_so_many_may_wait() -> None:
    caller = await a_caller()
    for n in range(MAX_WAITING):
        await a_requested_sender(caller, f"@d{n}.example")
    async with nothing_changed(*TABLES):
        with pytest.raises(TooManySenders):
            await request(caller)
    assert (await request(caller, "@d7.example"))["status"] == "pending"
    assert (await request(await a_caller()))["status"] == "pending"


async def test_it_is_audited_without_the_address() -> None:
    caller = await a_caller()
    asked = await request(caller, ADDRESS)
    await prove(caller, asked["id"], asked["sandboxCode"])
    await email.remove_sender(caller, asked["id"])
    told = {
        action: await audited(caller.organization_id, f"email_sender.{action}")
        for action in ("requested", "verified", "removed")
    }
    assert [entry["facts"] for (entry,) in told.values()] == [
        {"kind": "address"},
        {"kind": "address", "method": "email"},
        {"kind": "address", "verified": True},
    ]
    assert {entry["subject_id"] for (entry,) in told.values()} == {asked["id"]}
    assert "padaria" not in str(told)


async def test_they_need_their_scopes() -> None:
    caller = await a_caller()
    asked = await request(caller)
    reader, writer = bare(caller, Scope.EMAIL_READ), bare(caller, Scope.EMAIL_SEND)
    for use_case in (
        request(reader),
        prove(reader, asked["id"]),
        email.remove_sender(reader, asked["id"]),
        email.get_sender(writer, asked["id"]),
        email.list_senders(writer, email.SenderFilter()),
    ):
        with pytest.raises(Forbidden):
            await use_case


async def test_graphql_asks_verifies_reads_and_removes() -> None:
    caller = await a_caller()
    create = "mutation($to: String!) { createEmailSender(input: {address: $to}) { id status sandboxCode txtName } }"
    domain = (await data_of(caller, create, to=DOMAIN))["createEmailSender"]
    address = (await data_of(caller, create, to=ADDRESS))["createEmailSender"]
    assert (domain["txtName"], domain["sandboxCode"]) == (NAME, None)
    verify = """mutation($id: ID!, $code: String) {
      verifyEmailSender(id: $id, input: {code: $code}) { id status method } }"""
    for asked, method in ((domain, "DNS"), (address, "EMAIL")):
        shown = await data_of(caller, verify, id=asked["id"], code=asked["sandboxCode"])
        assert shown["verifyEmailSender"] == {
            "id": asked["id"], "status": "VERIFIED", "method": method,
        }  # fmt: skip
    query = """query($status: SenderStatus) { emailSenders(first: 5, filter: {status: $status}) {
      totalCount nodes { id address verifiedAt } } }"""
    page = (await data_of(caller, query, status="VERIFIED"))["emailSenders"]
    assert [one["id"] for one in page["nodes"]] == [address["id"], domain["id"]]
    assert (await data_of(caller, query, status="PENDING"))["emailSenders"]["totalCount"] == 0
    remove = "mutation($id: ID!) { deleteEmailSender(id: $id) { id } }"
    await data_of(caller, remove, id=domain["id"])
    assert (await refused(caller, remove, id=domain["id"]))["extensions"]["code"] == "NOT_FOUND"
