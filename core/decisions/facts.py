"""Facts of a decision: what its rules looked at, as it is kept beside the message.

Only what cannot be worked out later is kept: the volume that decided the band, the tokens that were
left, the window. The route, the provider, the quote and what the provider answered stand in the
message itself; the consent stands in its log.
"""

from collections.abc import Mapping
from typing import Any

import orjson

from core.decisions.catalogue import RULES_VERSION
from core.foundation.rules import Rule

MAX_FACTS_BYTES = 300
VERSION = "v"
"""Under which the facts tell the version of the catalogue."""

Facts = Mapping[str, Mapping[str, object]]
"""By rule, as `entradas` of the trace show them."""


def kept_facts(facts: Facts) -> str | None:
    """The facts as they are stored; None where there are none, or they are too long."""
    if not facts:
        return None
    return short_enough(orjson.dumps({VERSION: RULES_VERSION, **facts}).decode())


def short_enough(facts: str) -> str | None:
    """Facts that are written already, in ASCII; None where they are too long."""
    return facts if len(facts) <= MAX_FACTS_BYTES else None


def facts_of_rule(kept: str | None, rule: Rule) -> dict[str, Any]:
    """What was to be kept of one rule, for a refusal that comes after it was written down."""
    found: dict[str, dict[str, Any]] = {} if kept is None else orjson.loads(kept)
    return found.get(rule.value, {})
