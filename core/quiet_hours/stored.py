"""The stored window of an organization's environment."""

from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from core import audit
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.quiet_hours.models import QuietWindow
from core.quiet_hours.window import Window


async def find_window(caller: Caller) -> Window | None:
    """The caller's window; None when there is none."""
    stored = await QuietWindow.visible_to(caller).first()
    if stored is None:
        return None
    return Window(
        time.fromisoformat(stored.start),
        time.fromisoformat(stored.end),
        ZoneInfo(stored.zone),
        stored.days,
        stored.exceptions,
    )


async def store_window(caller: Caller, window: Window | None, *, at: datetime) -> None:
    """Put this window in the place of the one before; None: there is no quiet any more."""
    async with transaction():
        if window is None:
            await QuietWindow.visible_to(caller).delete()
        else:
            values: dict[str, Any] = {
                "start": f"{window.start:%H:%M}",
                "end": f"{window.end:%H:%M}",
                "zone": window.zone.key,
                "days": None if window.days is None else list(window.days),
                "exceptions": list(window.exceptions),
                "updated_at": at,
            }
            await QuietWindow.update_or_create(defaults=values, **owned_by(caller))
        await audit.record(caller, "quiet_hours.changed", None, {"on": window is not None}, at=at)
