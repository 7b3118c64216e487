"""Quiet hours of push: the settings, and until when a notification is deferred."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from core import organizations
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from core.push.inputs import PushSettings
from core.push.models import QuietException, RateKind
from core.push.record import QuietHoursRecord, SettingsRecord


async def get_settings(caller: Caller) -> SettingsRecord:
    """The settings that hold."""
    caller.require(Scope.PUSH_SETTINGS)
    return _record(await organizations.find_quiet_hours(caller))


async def put_settings(caller: Caller, new: PushSettings) -> SettingsRecord:
    """Put these settings in the place of those before."""
    caller.require(Scope.PUSH_SETTINGS)
    quiet = new.janela_silencio
    window = None
    if quiet is not None:
        window = organizations.QuietHours(
            time.fromisoformat(quiet.inicio),
            time.fromisoformat(quiet.fim),
            ZoneInfo(quiet.fuso),
            sorted(set(quiet.dias)) if quiet.dias else None,
            tuple(new.excecoes),
        )
    await organizations.store_quiet_hours(caller, window, at=now())
    return _record(window)


async def deferred_to(caller: Caller, kind: RateKind, *, at: datetime) -> datetime | None:
    """When the quiet around `at` is over for content of this kind; None when it may leave at `at`."""
    window = await organizations.find_quiet_hours(caller)
    return None if window is None or kind in window.exceptions else window.ends_after(at)


def _record(window: organizations.QuietHours | None) -> SettingsRecord:
    if window is None:
        return {"janelaSilencio": None, "excecoes": []}
    quiet: QuietHoursRecord = {
        "inicio": f"{window.start:%H:%M}",
        "fim": f"{window.end:%H:%M}",
        "fuso": window.zone.key,
    }
    if window.days is not None:
        quiet["dias"] = list(window.days)
    exceptions = [QuietException(one) for one in window.exceptions]
    return {"janelaSilencio": quiet, "excecoes": exceptions}
