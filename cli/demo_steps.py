"""The narration of `svc demo`: on standard error, so that `--json` leaves standard output alone."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from rich.console import Console, Group
from rich.json import JSON
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cli.demo_receiver import Arrival
from cli.printable import printable


class Steps:
    """Numbered steps, each with what went out and what came back."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self._number = 0

    def title(self, url: str, receiver: str) -> None:
        """What talks to what."""
        self._console.print(
            Text.assemble("API ", (url, "bold"), "   receiver ", (receiver, "bold"))
        )

    def call(self, title: str, request: str, body: Any, status: int, answer: Any) -> None:
        """One request and its answer."""
        parts: list[Any] = [Text(f"→ {request}", style="bold")]
        if body is not None:
            parts.append(_json(body))
        colour = "green" if status < 300 else "yellow"
        parts.append(Text(f"← {status} {HTTPStatus(status).phrase}", style=f"bold {colour}"))
        if answer is not None:
            parts.append(_json(answer))
        self._step(title, *parts)

    def webhook(self, arrival: Arrival, *, verified: bool) -> None:
        """One delivery that arrived."""
        sign = (
            Text("signature verified", style="green")
            if verified
            else Text("signature WRONG", style="red")
        )
        self._step(
            f"The webhook {arrival.event['type']} arrived",
            Text(
                printable(f"X-SVC-Signature: {arrival.headers['x-svc-signature']}"), overflow="fold"
            ),
            sign,
            _json(arrival.event),
        )

    def list(self, page: Mapping[str, Any]) -> None:
        """The messages as the API lists them now."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in ("id", "to", "status", "reason"):
            table.add_column(column)
        for item in page["items"]:
            table.add_row(
                *(printable(item.get(name, "")) for name in ("id", "to", "status", "reason"))
            )
        self._step("List the messages", Text("→ GET /v2/sms/messages", style="bold"), table)

    def summary(self, url: str, messages: Sequence[Mapping[str, Any]]) -> str:
        """The last lines: what was seen, and where there is more."""
        accepted = [message for message in messages if message["status"] == 201]
        return (
            f"{len(messages)} messages sent, {len(accepted)} accepted, {len(accepted)} signed "
            f"webhooks received "
            f"and verified\nevery operation, with examples to try: {url}/docs"
        )

    def _step(self, title: str, *parts: Any) -> None:
        self._number += 1
        self._console.print(
            Panel(Group(*parts), title=f"{self._number}. {title}", title_align="left")
        )


def _json(data: Any) -> Text:
    """One value in colours, on as few lines as fit."""
    text = JSON(printable(json.dumps(data, ensure_ascii=False)), indent=None).text
    text.no_wrap, text.overflow = False, "fold"
    return text
