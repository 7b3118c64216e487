"""The channels are declared once (`core/foundation/channels.py`); whatever is a set of them is made of it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import decisions, quotes
from core.channels import MESSAGE_CHANNELS, PACKAGES, prices
from core.foundation.channels import AnyChannel, Channels, ChannelSet, DeclaredChannel
from core.foundation.security.caller import Scope
from core.journeys import ways
from core.journeys.models import JourneyChannel
from core.messaging import Channel
from core.quoting import audience
from core.read_models import explain_send
from core.sandbox_clock import dues

ROOT = Path(__file__).parents[2]
FOLDERS = ("core", "cli", "workers", "rest_api", "graphql_api", "smpp_api")
WORDS = frozenset(channel.value for channel in AnyChannel)

LISTS_CHANNELS = {
    "rest_api/wallet/examples.py": "an example of a price table",
    "core/wallet/prices.py": "the sections of a price table, which is stored as it is sent",
}
"""Files with a list of three channels or more in words. It only gets shorter."""


OWN = {"whatsapp": "conversations", "instagram": "conversations"}
"""The packages of channels that are not called as the channel is."""
QUOTED = re.compile(rf"'({'|'.join(sorted(WORDS - {'email'}))})'|channel\b[^']{{0,30}}'(email)'")

NAMES_A_CHANNEL = {
    "cli/app.py": "a command of Instagram's accounts",
    "cli/gateway_example/": "the gateway's protocol, as another program speaks it",
    "cli/seed/": "realistic data",
    "core/contacts/fields.py": "an example of a value",
    "core/foundation/channels.py": "the declaration",
    "core/foundation/pubsub/notices.py": "a kind of notice",
    "core/messaging/models.py": "conditions of indexes, which are the catalogue's",
    "core/providers/": "what the providers carry, and their protocols",
    "core/rcs/": "the SMS that stands in",
    "core/read_models/timeline/source.py": "a kind of entry",
    "core/wallet/": "the sections of a price table, which is stored as it is sent",
    "core/webhooks/events/samples.py": "invented data",
    "graphql_api/wallet/schema.py": "the sections of a price table",
    "smpp_api/link/gateway.py": "the gateway's protocol: a link carries SMS alone",
}
"""Files and folders outside of its packages that name a channel. It only gets shorter."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    """What runs, by its path; migrations say how it once was."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if not place.startswith("core/migrations/"):
                yield place, ast.parse(path.read_text("utf-8"))


def _words_listed(node: ast.AST) -> set[str]:
    """The channels among what a literal lists, or among the members of a class."""
    match node:
        case ast.Tuple(elts=found) | ast.List(elts=found) | ast.Set(elts=found):
            listed: list[ast.expr | None] = list(found)
        case ast.Dict(keys=keys):
            listed = keys
        case ast.ClassDef(body=body):
            values = [one.value for one in body if isinstance(one, ast.Assign)]
            listed = [
                one.elts[0] if isinstance(one, ast.Tuple) and one.elts else one for one in values
            ]
        case _:
            return set()
    return {*WORDS} & {str(one.value) for one in listed if isinstance(one, ast.Constant)}


def test_no_other_list_of_channels_stands_anywhere() -> None:
    found = {
        place
        for place, module in modules()
        for node in ast.walk(module)
        if len(_words_listed(node)) >= 3
    }
    assert found == set(LISTS_CHANNELS)


def _names_a_channel(place: str, module: ast.Module) -> bool:
    """Whether a file names one outside its own packages: a member of a set, or the word in quotes.
    The word `email` alone is the name of a field.
    """
    own = {place.split("/")[1], place.split("/")[2] if place.count("/") > 1 else ""}
    told = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        match node:
            case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr=member):
                named = {member.lower()} & WORDS if name.endswith("Channel") else set()
            case ast.Constant(value=str(text)) if id(node) not in told:
                named = {text} & WORDS - {"email"} | {
                    word for found in QUOTED.findall(text) for word in found if word
                }
            case _:
                continue
        if any(OWN.get(word, word) not in own for word in named):
            return True
    return False


def test_files_outside_its_own_package_that_name_a_channel() -> None:
    """Everybody else asks its declaration, or its package. The list only gets shorter."""
    found = {
        next((row for row in NAMES_A_CHANNEL if place.startswith(row)), place)
        for place, module in modules()
        if not place.endswith("examples.py") and _names_a_channel(place, module)
    }
    assert found == set(NAMES_A_CHANNEL)
    assert len(found) <= 14


def test_a_channel_is_the_same_word_with_the_same_facts_in_every_set() -> None:
    sets = [one for one in ChannelSet.__subclasses__() if one.__module__.startswith("core.")]
    assert len(sets) >= 9
    for one in sets:
        for member in one:
            if member.name != "ALL":
                assert member.facts is AnyChannel(member.value).facts
                assert member.name == AnyChannel(member.value).name
    with pytest.raises(AttributeError):
        _ = quotes.QuoteChannel.INSTAGRAM


def test_a_channel_that_is_declared_is_in_the_sets_that_it_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fax = DeclaredChannel(
        word="fax", read=Scope.SMS_READ, send=Scope.SMS_SEND, rules=(), quote="Faxes, by the page"
    )
    monkeypatch.setattr(Channels, "FAX", fax, raising=False)

    class Promised(ChannelSet, of=lambda facts: facts.quote, first=["PUSH"]):
        """As `QuoteChannel` is made."""

    class Stored(ChannelSet, of=lambda facts: facts.message):
        """As `Channel` is made."""

    assert list(Promised) == ["push", "sms", "rcs", "email", "whatsapp", "fax"]
    assert Promised("fax").description == "Faxes, by the page"
    assert Promised("fax").facts is fax
    assert "fax" not in list(Stored)


def test_every_channel_has_its_package_and_every_job_one_loop() -> None:
    packaged = [channel for package in PACKAGES for channel in package.channels]
    assert sorted(packaged) == sorted(AnyChannel)
    stored = [channel for one in MESSAGE_CHANNELS for channel in one.channels]
    assert sorted(stored) == sorted(Channel)
    jobs = [job for package in PACKAGES for job in package.work]
    assert len(jobs) == len(set(jobs))


def test_what_differs_between_channels_is_told_of_each() -> None:
    """A channel that joins a set is met here by what the set asks of it."""
    assert set(decisions.ASKED) == set(decisions.DecisionChannel)
    assert set(prices.CHANNELS) == set(quotes.QuoteChannel)
    assert set(ways.WAYS) == set(JourneyChannel)
    assert {*explain_send.WAYS, AnyChannel.PUSH} == {*decisions.DecisionChannel}
    assert all(channel.facts.journey_route for channel in JourneyChannel)
    assert all(
        channel.facts.address or channel in audience.REACHES for channel in quotes.QuoteChannel
    )


def test_what_a_channel_has_due_in_a_sandbox_happens_there_once() -> None:
    told = [due.name for package in PACKAGES for due in package.dues]
    assert len(told) == len(set(told))
    assert set(told) < {due.name for due in dues.DUES}
