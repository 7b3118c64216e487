"""The tables of pages that repeat what the code decides: scopes, limits, endings of the sandbox."""

import re

import pytest
from redis.asyncio.sentinel import SentinelConnectionPool

from core.companies.inputs import MAX_LINES as COMPANY_LINES
from core.contact_imports.inputs import MAX_LINES as CONTACT_LINES
from core.conversations.sending.payloads import MAX_TEXT_LENGTH as LONGEST_CONVERSATION_TEXT
from core.customer_events.inputs import MAX_WINDOW_HOURS
from core.email.inputs import MAX_BODY_LENGTH, MAX_SUBJECT_LENGTH
from core.exports.inputs import MAX_PAGE_SIZE
from core.foundation.database.address import OPTIONS, read
from core.foundation.database.pages import CEILING, DEFAULT_LIMIT
from core.foundation.redis_address import OPTIONS as REDIS_OPTIONS
from core.foundation.redis_address import open_pool
from core.foundation.security.caller import SESSION_ONLY, Limits, Scope
from core.lists.inputs import MAX_MEMBERS
from core.providers.sandbox.conversations import STORIES
from core.providers.sandbox.endings import RCS, SMS
from core.rcs.inputs import MAX_TEXT_LENGTH as MAX_RCS_TEXT_LENGTH
from core.sms.inputs import MAX_TEXT_LENGTH as MAX_SMS_TEXT_LENGTH
from tests.support.processes import ROOT

DOCS = ROOT / "docs"
ROW = re.compile(r"^\| (.+) \|$", re.MULTILINE)

LIMITS = {
    "page of a list": (DEFAULT_LIMIT, CEILING),
    "page of an export": (MAX_PAGE_SIZE,),
    "SMS of an organization": (Limits().sms_per_second,),
    "SMS": (MAX_SMS_TEXT_LENGTH,),
    "RCS": (MAX_RCS_TEXT_LENGTH,),
    "subject and body of an e-mail": (MAX_SUBJECT_LENGTH, MAX_BODY_LENGTH),
    "text of a conversation": (LONGEST_CONVERSATION_TEXT,),
    "contacts of an import": (CONTACT_LINES,),
    "companies of an import": (COMPANY_LINES,),
    "members of a list": (MAX_MEMBERS,),
    "attribution window": (MAX_WINDOW_HOURS,),
}


def rows_of(page: str) -> list[list[str]]:
    """The cells of every row of a page's tables."""
    return [row.split(" | ") for row in ROW.findall((DOCS / page).read_text())]


def test_every_scope_is_explained_once() -> None:
    named = [
        scope for row in rows_of("scopes.md")[1:] for scope in re.findall(r"`([a-z:]+)`", row[0])
    ]

    assert sorted(named) == sorted(Scope)


def test_what_only_people_hold_is_told() -> None:
    (told,) = [
        line for line in (DOCS / "scopes.md").read_text().splitlines() if "belong to people" in line
    ]

    assert set(re.findall(r"`([a-z:]+)`", told)) == SESSION_ONLY


@pytest.mark.parametrize("label", LIMITS)
def test_a_limit_is_the_one_of_the_code(label: str) -> None:
    found = [
        " | ".join(row[1:])
        for row in rows_of("limits.md")
        if row[0] == label or row[0].startswith(f"{label} ")
    ]
    numbers = set(re.findall(r"[\d,]+", " ".join(found)))

    assert {f"{value:,}" for value in LIMITS[label]} <= numbers


def test_every_ending_of_the_sandbox_is_told() -> None:
    told = {row[0].strip("`") for row in rows_of("sandbox.md") if re.fullmatch(r"`\d{4}`", row[0])}

    assert told == {*SMS, *RCS, *STORIES}


def test_every_subscription_is_told() -> None:
    schema = (ROOT / "graphql_api/schema.graphql").read_text()
    (subscriptions,) = re.findall(
        r"^type Subscription \{\n(.*?)^\}", schema, re.MULTILINE | re.DOTALL
    )
    names = set(re.findall(r"^  (\w+)[(:]", subscriptions, re.MULTILINE))

    told = {
        name
        for row in rows_of("graphql-subscriptions.md")
        for name in re.findall(r"^`(\w+)[(`]", row[0])
    }
    assert told == names


def test_every_option_of_the_database_is_told() -> None:
    told = {
        name
        for row in rows_of("high-availability.md")
        for name in re.findall(r"`([a-z_]+)`", row[0])
    }

    assert told == {*OPTIONS, "service", "servicefile"}


def test_the_addresses_of_several_servers_are_read() -> None:
    page = (DOCS / "high-availability.md").read_text()
    databases = re.findall(r"DATABASE_URL=(postgresql://[^\s`]+)", page)
    (sentinels,) = re.findall(r"REDIS_URL=(\S+)", page)

    assert [len(read(address).hosts) for address in databases] == [3, 1]
    assert {read(address).options["target_session_attrs"] for address in databases} == {
        "read-write"
    }
    pool = open_pool(sentinels, seconds=1)
    assert isinstance(pool, SentinelConnectionPool)
    assert len(pool.sentinel_manager.sentinels) == 3
    assert all(f"`{option}`" in page for option in REDIS_OPTIONS)
