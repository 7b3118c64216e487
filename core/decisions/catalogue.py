"""What each rule says to people, and which rules a channel asks, in which order."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.decisions.record import DecisionChannel
from core.foundation.rules import Rule

RULES_VERSION = 1
"""Of this catalogue; a trace says by which it was written."""


@dataclass(frozen=True, slots=True)
class RuleTexts:
    """A rule in words: when it passes, when it stops, and what to do then."""

    passes: str
    stops: str
    to_do: str


TEXTS: Mapping[Rule, RuleTexts] = {
    Rule.SCOPE: RuleTexts(
        "The credential may send on this channel.",
        "The credential lacks the scope that this send needs.",
        "Use a credential with the scope, or let an administrator give it.",
    ),
    Rule.BODY: RuleTexts(
        "The request is complete and can be sent.",
        "Something in the request cannot be sent as it is.",
        "Correct the fields that the answer named, and send again.",
    ),
    Rule.IDEMPOTENCY: RuleTexts(
        "The Idempotency-Key was free for this request.",
        "The Idempotency-Key belongs to another request.",
        "Send a new key for a new message, and the same key only for a repeat.",
    ),
    Rule.CEILING: RuleTexts(
        "The limit of messages per second had room.",
        "More was sent in a second than is contracted.",
        "Wait for the seconds in Retry-After, or ask for a higher limit.",
    ),
    Rule.ROUTE: RuleTexts(
        "The route has a price for this organization.",
        "The route has no price for this organization.",
        "Use another route, or ask for a quote.",
    ),
    Rule.PROVIDER: RuleTexts(
        "A provider carries this channel.",
        "No provider carries this channel at the moment.",
        "Ask the operator of the service to configure a provider.",
    ),
    Rule.CONSENT: RuleTexts(
        "No opt-out stood against this message.",
        "The recipient asked not to be written to.",
        "Do not write to this recipient, or use a transactional route for what is not marketing.",
    ),
    Rule.SUPPRESSION: RuleTexts(
        "The address is not suppressed.",
        "The address does not work, or its owner complained.",
        "Remove the address, or lift the suppression once it works again.",
    ),
    Rule.WINDOW: RuleTexts(
        "The recipient wrote within 24 hours, or a template was sent.",
        "The recipient has not written within 24 hours.",
        "Send an approved template.",
    ),
    Rule.TEMPLATE: RuleTexts(
        "The template may be used with these variables.",
        "The template cannot be used so.",
        "Use an approved template, with all its variables.",
    ),
    Rule.SENDER: RuleTexts(
        "What the message leaves from may send.",
        "What the message leaves from cannot send at the moment.",
        "Verify the sender, or use another one.",
    ),
    Rule.QUIET_HOURS: RuleTexts(
        "It was not within the quiet hours.",
        "It was within the quiet hours; the message waits until they end.",
        "Wait, or send it as urgent where that is allowed.",
    ),
    Rule.FREQUENCY: RuleTexts(
        "The recipient had not received too many messages.",
        "The recipient received as many messages as are allowed.",
        "Send again later.",
    ),
    Rule.PACING: RuleTexts(
        "The sender's pace had room.",
        "The message waits for the pace of its sender.",
        "Wait; it leaves by itself.",
    ),
    Rule.BALANCE: RuleTexts(
        "The wallet covered the price.",
        "The wallet did not cover the price.",
        "Add credit, and send again.",
    ),
    Rule.PRICE: RuleTexts(
        "The price was known.",
        "No price was known.",
        "Ask the operator of the service for a price.",
    ),
    Rule.VALIDITY: RuleTexts(
        "It was still worth sending.",
        "The time in which it was worth sending is over.",
        "Send it again with a longer validity.",
    ),
    Rule.ANSWER: RuleTexts(
        "The provider took the message.",
        "The provider did not take the message.",
        "Send it again later; where it happens again, tell the operator the message's id.",
    ),
    Rule.RECEIPT: RuleTexts(
        "The delivery was reported.",
        "It was reported that the message was not delivered.",
        "Check the recipient's address or phone.",
    ),
}

ASKED: Mapping[str, tuple[Rule, ...]] = {
    channel.value: channel.facts.rules for channel in DecisionChannel
}
"""The rules that a channel asks, each only where those before it have passed."""
