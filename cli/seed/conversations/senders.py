"""The numbers and the account that conversations go by, and the templates that they begin with."""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import shake_256
from typing import Any

import orjson

from cli.seed.audience import SEED_STEP, STRANGERS, STRANGERS_FROM
from cli.seed.brazil.conversations import WORDINGS, Wording
from cli.seed.brazil.phones import phone
from cli.seed.chunks import write_chunks
from cli.seed.copy_text import copy_text
from cli.seed.run import Chunk, Run
from core.foundation.database import db
from core.foundation.security.caller import Scope
from core.numbers.apply_status import PER_DAY, PER_SECOND
from core.numbers.models import NameStatus, NumberStatus, Quality, Tier
from core.templates import Template, TemplateStatus

NAMES = (
    ("Loja Aurora", Tier.TIER_10K, Quality.GREEN),
    ("Aurora Atendimento", Tier.TIER_1K, Quality.YELLOW),
)
SENDERS = len(NAMES)
TEMPLATES = len(WORDINGS)
AGE = timedelta(days=30)
"""How long before the first message they were there."""

NUMBER = (
    "id", "organization_id", "env", "phone_number_id", "waba_id", "phone", "status",
    "quality_rating",
    "messaging_tier", "rate_per_second", "rate_per_day", "verified_name", "name_status",
    "profile", "created_at",
    "updated_at",
)  # fmt: skip
ACCOUNT = ("id", "organization_id", "env", "instagram_id", "username", "created_at", "updated_at")
TEMPLATE = (
    "id", "organization_id", "env", "number_id", "name", "language", "category", "status",
    "components", "version",
    "created_at", "updated_at",
)  # fmt: skip


def number_ids(run: Run) -> list[str]:
    """The ids of the numbers."""
    return run.ids("num", "numbers", Chunk(0, 0, SENDERS))


def account_id(run: Run) -> str:
    """The id of the Instagram account."""
    return run.ids("iga", "instagram", Chunk(0, 0, 1))[0]


def templates_of(run: Run) -> list[Template]:
    """The templates as they are sent, none of them stored by this."""
    ids, (number_id, *_) = run.ids("tpl", "templates", Chunk(0, 0, TEMPLATES)), number_ids(run)
    return [
        Template(
            id=id, number_id=number_id, name=wording.name, language="pt-BR",
            category=wording.category,
            components=_components(wording),
        )
        for id, wording in zip(ids, WORDINGS, strict=True)
    ]  # fmt: skip


async def write_numbers(run: Run, count: int) -> dict[str, int]:
    """Write the numbers and the Instagram account; answers how many numbers are new.

    In production they are disconnected: they are made up, and nothing leaves by them.
    """
    run.caller.require(Scope.MESSAGES_SEND)
    at = run.begin - AGE
    status = NumberStatus.CONNECTED if run.caller.env == "test" else NumberStatus.DISCONNECTED
    written = 0

    async def write(ids: list[str]) -> None:
        nonlocal written
        first_phone = run.seed * SEED_STEP + STRANGERS_FROM + STRANGERS
        rows = [
            (
                id, *run.owner, _digits(id), _digits(ids[0] + "waba"),
                phone(first_phone + place, "live")[0],
                status.value, quality.value, tier.value, PER_SECOND, PER_DAY[tier], name,
                NameStatus.APPROVED.value,
                _json({"about": f"{name}: de segunda a sábado, das 8h às 20h", "vertical": "RETAIL"}), at, at,
            )
            for place, (id, (name, tier, quality)) in enumerate(zip(ids, NAMES, strict=True))
        ]  # fmt: skip
        await db.copy_in("numbers", NUMBER, copy_text(rows))
        account = account_id(run)
        row = (account, *run.owner, _digits(account), f"aurora.{run.seed}", at, at)
        await db.copy_in("instagram_accounts", ACCOUNT, copy_text([row]))
        written += len(ids)

    await write_chunks(
        run,
        "numbers",
        count,
        table="numbers",
        prefix="num",
        make=lambda _: number_ids(run),
        write=write,
    )
    return {"numbers": written}


async def write_templates(run: Run, count: int) -> dict[str, int]:
    """Write the templates of the first number, approved; answers how many are new."""
    run.caller.require(Scope.TEMPLATES_WRITE)
    at = run.begin - AGE
    written = 0

    async def write(made: Sequence[Template]) -> None:
        nonlocal written
        rows = [
            (
                one.id, *run.owner, one.number_id, one.name, one.language, one.category,
                TemplateStatus.APPROVED.value,
                _json(one.components), 1, at, at,
            )
            for one in made
        ]  # fmt: skip
        await db.copy_in("templates", TEMPLATE, copy_text(rows))
        written += len(made)

    await write_chunks(
        run,
        "templates",
        count,
        table="templates",
        prefix="tpl",
        make=lambda _: templates_of(run),
        write=write,
    )
    return {"templates": written}


def _components(wording: Wording) -> list[dict[str, Any]]:
    examples = [var.format(nome="Ana", pedido="48213") for var in wording.vars]
    body = {"type": "BODY", "payload": {"text": wording.text, "example": examples}}
    if not wording.answers:
        return [body]
    buttons = [{"type": "QUICK_REPLY", "text": text} for text in wording.answers]
    return [body, {"type": "BUTTONS", "payload": {"buttons": buttons}}]


def _digits(name: str) -> str:
    """An id such as the platform gives, always the same for a name and no other's."""
    return str(10**14 + int.from_bytes(shake_256(name.encode()).digest(8)) % (9 * 10**14))


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
