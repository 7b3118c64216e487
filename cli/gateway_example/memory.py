"""What a gateway must not forget: which ids it has taken, and what it still has to report. In one
SQLite file.
"""

import json
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.gateway_example.carriers import Answer, CarrierAccepted, CarrierRefused, Lost, Message

KEEP_SECONDS = 48 * 3600
"""Longer than the day for which an id must not leave twice, and than the hours in which reports come."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY, organization_id TEXT, recipient TEXT, channel TEXT,
    reference TEXT, refusal TEXT, state TEXT, at REAL NOT NULL);
CREATE INDEX IF NOT EXISTS messages_by_recipient ON messages (recipient, at);
CREATE INDEX IF NOT EXISTS messages_by_age ON messages (at);
CREATE TABLE IF NOT EXISTS reports (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, message_id TEXT NOT NULL, body TEXT NOT NULL,
    due_at REAL NOT NULL, made_at REAL NOT NULL);
CREATE INDEX IF NOT EXISTS reports_due ON reports (due_at);
"""


@dataclass(frozen=True)
class KnownMessage:
    """A message that came before."""

    organization_id: str
    recipient: str
    channel: str
    reference: str | None
    refusal: str | None
    state: str | None

    @property
    def answer(self) -> Answer:
        """What it was answered, or is by now."""
        if self.refusal is not None:
            return CarrierRefused(self.refusal)
        return CarrierAccepted(self.reference) if self.reference is not None else Lost()


@dataclass(frozen=True)
class GatewayReport:
    """A receipt or a reply that the service has not been told."""

    number: int
    kind: str
    organization_id: str
    body: dict[str, Any]


class Memory:
    """The file. Every call is one short transaction."""

    def __init__(self, path: Path | str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; {SCHEMA}")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def begin(self, message: Message) -> bool:
        """Note that the message is being handed over; False: it was before. This line is what keeps
        an id from leaving twice.
        """
        noted = self._db.execute(
            "INSERT INTO messages (id, organization_id, recipient, channel, at) VALUES (?, ?, ?, "
            "?, ?) "
            "ON CONFLICT DO NOTHING",
            (
                message["id"],
                message["organizationId"],
                message["to"],
                message["channel"],
                time.time(),
            ),
        )
        return noted.rowcount == 1

    def finish(self, message_id: str, answer: Answer) -> None:
        """Note what the carrier said. What it has not taken is dropped: it may come again as a
        first one.
        """
        match answer:
            case CarrierAccepted(reference):
                self._db.execute(
                    "UPDATE messages SET reference = ? WHERE id = ?", (reference, message_id)
                )
            case CarrierRefused(reason):
                self._db.execute(
                    "UPDATE messages SET refusal = ? WHERE id = ?", (reason, message_id)
                )
            case Lost():
                pass
            case _:
                self._db.execute("DELETE FROM messages WHERE id = ?", (message_id,))

    def find(self, message_id: str) -> KnownMessage | None:
        """A message by the service's id."""
        row = self._db.execute(
            "SELECT organization_id, recipient, channel, reference, refusal, state FROM messages "
            "WHERE id = ?",
            (message_id,),
        ).fetchone()
        return KnownMessage(*row) if row else None

    def last_to(self, recipient: str) -> str | None:
        """The newest message to a phone: what its reply most probably answers."""
        row = self._db.execute(
            "SELECT id FROM messages WHERE recipient = ? ORDER BY at DESC LIMIT 1", (recipient,)
        ).fetchone()
        return row[0] if row else None

    def tell(
        self, kind: str, message_id: str, fields: dict[str, Any], *, delay: float = 0.0
    ) -> None:
        """Keep a report until the service took it; one about a message tells its state as well."""
        known = self.find(message_id)
        if known is None:
            return
        if kind == "receipts":
            reference = fields["id"]
            self._db.execute(
                "UPDATE messages SET state = ?, reference = coalesce(reference, ?) WHERE id = ?",
                (fields["status"], reference, message_id),
            )
        at = time.time()
        self._db.execute(
            "INSERT INTO reports (kind, message_id, body, due_at, made_at) VALUES (?, ?, ?, ?, ?)",
            (kind, message_id, json.dumps(fields), at + delay, at),
        )

    def due(self, limit: int) -> list[GatewayReport]:
        """The oldest reports that are due."""
        rows = self._db.execute(
            "SELECT r.number, r.kind, m.organization_id, r.body FROM reports r JOIN messages m "
            "ON m.id = r.message_id "
            "WHERE r.due_at <= ? ORDER BY r.number LIMIT ?",
            (time.time(), limit),
        )
        return [
            GatewayReport(number, kind, organization_id, json.loads(body))
            for number, kind, organization_id, body in rows
        ]

    def drop(self, reports: list[GatewayReport]) -> None:
        """The service took them."""
        self._db.executemany(
            "DELETE FROM reports WHERE number = ?", [(report.number,) for report in reports]
        )

    def put_off(self, reports: list[GatewayReport], seconds: float) -> None:
        """The service did not take them: later."""
        later = time.time() + seconds
        self._db.executemany(
            "UPDATE reports SET due_at = ? WHERE number = ?",
            [(later, report.number) for report in reports],
        )

    def forget_old(self) -> None:
        """Drop what is older than anybody asks for."""
        limit = time.time() - KEEP_SECONDS
        self._db.execute("DELETE FROM reports WHERE made_at < ?", (limit,))
        self._db.execute("DELETE FROM messages WHERE at < ?", (limit,))
