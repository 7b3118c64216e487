"""What `svc doctor` checks, each in one line that says what to do."""

from cli.checks.check_result import CheckResult, Warned
from cli.checks.exposure import base_url, metrics
from cli.checks.machines import (
    bounds,
    clock,
    connections,
    database,
    files,
    migrations,
    open_files,
    redis,
)
from cli.checks.outside import mail
from cli.checks.service import (
    cells,
    encryption,
    event_feed,
    hash_key,
    live_sms,
    moves,
    partitions,
    phone_hash,
    queues,
    webhooks,
    workers,
)

__all__ = [
    "CheckResult",
    "Warned",
    "base_url",
    "bounds",
    "cells",
    "clock",
    "connections",
    "database",
    "encryption",
    "event_feed",
    "files",
    "hash_key",
    "live_sms",
    "mail",
    "metrics",
    "migrations",
    "moves",
    "open_files",
    "partitions",
    "phone_hash",
    "queues",
    "redis",
    "webhooks",
    "workers",
]
