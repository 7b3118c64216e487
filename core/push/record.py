"""A dispatch as the interface spells it."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database import db
from core.push.models import Platform

REACHES_NOBODY = "nenhum_dispositivo_alcancado"


def dispatch_record(row: db.Row) -> dict[str, Any]:
    """The record of a row; it holds nothing personal."""
    record = {
        "id": row["id"],
        "env": row["env"],
        "origin": row["origin"],
        "status": row["status"],
        "title": row["title"],
        "body": row["body"],
        "deepLink": row["deep_link"],
        "imageUrl": row["image_url"],
        "actions": row["actions"],
        "platforms": row["platforms"],
        "segment": row["segment"],
        "tokenCount": row["token_count"],
        "rateKind": row["rate_kind"],
        "scheduledAt": _time(row["scheduled_at"]),
        "quietDeferredTo": _time(row["quiet_deferred_to"]),
        "billing": billing(row),
        "metrics": metrics(row),
        "breakdown": breakdown(row),
        "warnings": None if row["reach"] else [REACHES_NOBODY],
        "createdAt": wire_time(row["created_at"]),
        "startedAt": _time(row["started_at"]),
        "completedAt": _time(row["completed_at"]),
    }
    return {name: value for name, value in record.items() if value is not None}


def billing(row: db.Row) -> dict[str, int]:
    """In coins: for one device, set aside at this moment, and paid."""
    held = row["reach"] * row["unit_coins"] - row["captured_coins"] - row["released_coins"]
    return {
        "unitCoins": row["unit_coins"],
        "reservedCoins": held,
        "capturedCoins": row["captured_coins"],
    }


def metrics(row: db.Row) -> dict[str, int]:
    """Devices queued, and what became of them."""
    return {
        "reach": row["reach"],
        "delivered": _sum(row, "delivered"),
        "opened": _sum(row, "opened") + row["opened_by_nobody"],
        "failed": _sum(row, "failed"),
        "optedOut": row["opted_out"],
    }


def breakdown(row: db.Row) -> dict[str, dict[str, int]]:
    """The same by platform. An open without a token is of no platform that is known."""
    of_each = {
        platform.value: {
            name: row[f"{name}_{platform}"] for name in ("delivered", "opened", "failed")
        }
        for platform in Platform
    }
    return {
        **of_each,
        "desconhecida": {"delivered": 0, "opened": row["opened_by_nobody"], "failed": 0},
    }


def _sum(row: db.Row, name: str) -> int:
    return sum(row[f"{name}_{platform}"] for platform in Platform)


def _time(at: Any) -> str | None:
    return None if at is None else wire_time(at)
