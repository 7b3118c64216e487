"""What `svc doctor` checks, each in one line that says what to do."""

from cli.checks.finding import Finding, Warned
from cli.checks.machines import clock, connections, database, files, migrations, open_files, redis
from cli.checks.outside import mail
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
    "mail",
    "migrations",
    "open_files",
    "queues",
    "redis",
    "webhooks",
    "workers",
]
