"""What a contact consented to, and when: the state in its row and the moves that led there."""

from dataclasses import dataclass
from datetime import datetime
from random import Random

from core.contacts import ALL_CHANNELS, OptInStatus

DENIED_SHARE, UNKNOWN_SHARE = 0.06, 0.22
GRANTED_FIRST_SHARE = 0.7
"""Of those who denied: how many had granted before."""
NO_SMS_SHARE = 0.015
"""Of the others: how many want everything but SMS."""

SOURCES = ("site", "checkout", "loja", "whatsapp", "evento", "importacao")
REASONS = (
    "Pediu para sair",
    "Não reconhece o cadastro",
    "Recebia mensagens demais",
    "Mudou de número",
)
BROWSER = (
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/130.0 Mobile Safari/537.36"
)


@dataclass(frozen=True, slots=True)
class PastDecision:
    """One entry of the consent log."""

    status: OptInStatus
    at: datetime
    channel: str = ALL_CHANNELS
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PastConsent:
    """A consent. `moves` in their order in time; denials among them still stand."""

    status: OptInStatus = OptInStatus.UNKNOWN
    source: str | None = None
    at: datetime | None = None
    ip: str | None = None
    user_agent: str | None = None
    revoked_at: datetime | None = None
    revoked_reason: str | None = None
    moves: tuple[PastDecision, ...] = ()


def draw_consent(created_at: datetime, as_of: datetime, random: Random) -> PastConsent:
    """The consent of somebody who became a contact at that time."""
    chance = random.random()
    if chance < UNKNOWN_SHARE:
        return PastConsent()
    source = SOURCES[int(random.random() * len(SOURCES))]
    online = source in ("site", "checkout")
    ip = f"203.0.113.{int(random.random() * 254) + 1}" if online else None  # a network of examples
    browser = BROWSER if online else None
    later = created_at + random.random() * (as_of - created_at)
    granted = PastDecision(OptInStatus.GRANTED, created_at)
    if chance > 1 - DENIED_SHARE:
        reason = REASONS[int(random.random() * len(REASONS))]
        if random.random() < GRANTED_FIRST_SHARE:
            denied = PastDecision(OptInStatus.DENIED, later, reason=reason)
            return PastConsent(
                OptInStatus.DENIED,
                source,
                created_at,
                ip,
                browser,
                later,
                reason,
                (granted, denied),
            )
        denied = PastDecision(OptInStatus.DENIED, created_at, reason=reason)
        return PastConsent(
            OptInStatus.DENIED, source, None, ip, browser, created_at, reason, (denied,)
        )
    moves: tuple[PastDecision, ...] = (granted,)
    if random.random() < NO_SMS_SHARE:
        moves += (PastDecision(OptInStatus.DENIED, later, "sms", "Prefere outro canal"),)
    return PastConsent(OptInStatus.GRANTED, source, created_at, ip, browser, moves=moves)
