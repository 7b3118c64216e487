"""What `svc doctor` checks, each in one line that says what to do."""

from cli.checks.finding import Finding, Warned
from cli.checks.machines import clock, connections, database, files, migrations, redis
from cli.checks.service import encryption, gateway, queues, webhooks, workers

__all__ = [
    "Finding",
    "Warned",
    "clock",
    "connections",
    "database",
    "encryption",
    "files",
    "gateway",
    "migrations",
    "queues",
    "redis",
    "webhooks",
    "workers",
]
