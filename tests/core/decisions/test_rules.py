"""Every refusal names the rule that stops a send."""

import pkgutil
from importlib import import_module

import core
from core import decisions
from core.decisions.record import DecisionChannel
from core.foundation.errors import Internal, ServiceError
from core.foundation.language import has_translation
from core.foundation.rules import Rule
from core.idempotency import KeyReusedWithAnotherBody
from core.messaging import NoProvider, RecipientOptedOut
from core.sms.errors import AboveCeiling, ProviderThrottled, QuoteOnlyRoute, SmsRecipientOptedOut
from core.wallet import InsufficientBalance


def refusals(of: type[ServiceError] = ServiceError) -> set[type[ServiceError]]:
    """Those of core: an entry point decides about no send."""
    return {
        found
        for kind in of.__subclasses__()
        for found in (kind, *refusals(kind))
        if found.__module__.startswith("core.")
    }


def test_every_refusal_has_a_rule() -> None:
    for module in pkgutil.walk_packages(core.__path__, "core."):
        import_module(module.name)

    without = {kind.__qualname__ for kind in refusals() if kind.rule is None}

    assert without == {Internal.__qualname__}, "a fault of ours decides nothing"
    assert len(refusals()) > 100


def test_a_refusal_is_of_the_rule_that_its_name_says() -> None:
    assert {
        KeyReusedWithAnotherBody: Rule.IDEMPOTENCY,
        AboveCeiling: Rule.CEILING,
        QuoteOnlyRoute: Rule.ROUTE,
        NoProvider: Rule.PROVIDER,
        RecipientOptedOut: Rule.CONSENT,
        SmsRecipientOptedOut: Rule.CONSENT,
        InsufficientBalance: Rule.BALANCE,
        ProviderThrottled: Rule.ANSWER,
    } == {
        kind: kind.rule
        for kind in (
            KeyReusedWithAnotherBody,
            AboveCeiling,
            QuoteOnlyRoute,
            NoProvider,
            RecipientOptedOut,
            SmsRecipientOptedOut,
            InsufficientBalance,
            ProviderThrottled,
        )
    }


def test_every_rule_has_its_words_and_every_channel_its_rules() -> None:
    assert set(decisions.TEXTS) == set(Rule)
    assert set(decisions.ASKED) == {channel.value for channel in DecisionChannel}
    for texts in decisions.TEXTS.values():
        for sentence in (texts.passes, texts.stops, texts.to_do):
            assert has_translation(sentence), sentence


def test_a_channel_asks_each_rule_once() -> None:
    for asked in decisions.ASKED.values():
        assert len(set(asked)) == len(asked)
