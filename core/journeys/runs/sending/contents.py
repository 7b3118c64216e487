"""What a message step sends, channel after channel, and how often it tries."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from core.journeys.models import JourneyChannel, JourneyFailure
from core.journeys.ways import WAYS

BY_TEXT = tuple(channel for channel in JourneyChannel if not channel.facts.has_templates)
"""The channels that a text goes over one after the other, where the step names none."""


@dataclass(frozen=True, slots=True)
class ChannelContent:
    """A message on one channel."""

    channel: JourneyChannel
    text: str | None = None
    template_id: str | None = None
    number_id: str | None = None
    variables: tuple[str, ...] = ()
    subject: str | None = None

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "ChannelContent":
        """As it is stored in a step."""
        return cls(
            JourneyChannel(stored["canal"]),
            stored.get("texto"),
            stored.get("templateId"),
            stored.get("numberId"),
            tuple(stored.get("variaveis", ())),
            stored.get("assunto"),
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """The contents of a step in their order: each is sent where those before it were not taken.

    `on_failure`: what follows when a message failed. `tries`: of each content. `delivery`: how long
    to wait for a delivery before the next one is sent.
    """

    contents: tuple[ChannelContent, ...]
    on_failure: JourneyFailure
    tries: int
    delivery: timedelta | None

    @classmethod
    def read(cls, config: Mapping[str, Any]) -> "Plan":
        """Of a step, by its stored settings."""
        first = ChannelContent.read(config)
        on_failure = JourneyFailure(config.get("aoFalhar", JourneyFailure.GO_ON))
        others: tuple[ChannelContent, ...] = ()
        if on_failure is JourneyFailure.OTHER_CHANNEL:
            named = config.get("outrosCanais")
            others = _by_text(first) if named is None else tuple(map(ChannelContent.read, named))
        minutes = config.get("esperaEntregaMin")
        return cls(
            (first, *others),
            on_failure,
            config.get("tentativas", 1),
            None if minutes is None else timedelta(minutes=minutes),
        )

    def has_next(self, place: int) -> bool:
        """Whether there is a content behind the one at this place."""
        return place + 1 < len(self.contents)


def _by_text(first: ChannelContent) -> tuple[ChannelContent, ...]:
    """The same text over the channels that it fits into; a template has none."""
    if first.text is None:
        return ()
    return tuple(
        replace(
            first,
            channel=channel,
            number_id=None,
            subject=first.subject if WAYS[channel].has_subject else None,
        )
        for channel in BY_TEXT
        if channel is not first.channel and WAYS[channel].takes(first.text)
    )
