"""The service as it would be if no facts of decisions were kept beside messages."""

from dataclasses import replace
from typing import Any

from core.sms import accept, rows
from rest_api import app


def create_app() -> Any:
    """A new application; uvicorn calls this."""
    columns = tuple(name for name in rows.SMS.columns if name != "decision_facts")
    rows.SMS = replace(rows.SMS, columns=columns)
    accept.facts_of = lambda *_, **__: None
    return app.create_app()
