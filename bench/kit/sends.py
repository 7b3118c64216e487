"""Requests that send a message, no two alike."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count, cycle

import orjson

from bench.kit.http import request_bytes
from bench.kit.organizations import Customer

AREAS = (11, 21, 31, 41, 48, 51, 61, 62, 71, 81, 85, 92)
PATH = "/v2/sms/messages"

Body = dict[str, object]


def an_sms(number: int) -> Body:
    """The body of the send of this number."""
    return {
        "to": recipient(number),
        "body": f"Olá! Seu pedido {number} saiu para entrega e chega até as 18h de hoje.",
        "route": "premium",
        "metadata": {"order": f"A-{number}", "attempt": 1},
    }


def an_rcs(number: int) -> Body:
    """The same as an RCS message."""
    sms = an_sms(number)
    return {
        "to": sms["to"],
        "content": {"text": sms["body"]},
        "route": "easy_rcs",
        "metadata": sms["metadata"],
    }


def an_email(number: int) -> Body:
    """The same as an e-mail."""
    sms = an_sms(number)
    return {
        "to": f"cliente{number}@example.com",
        "subject": f"Seu pedido {number}",
        "text": sms["body"],
        "metadata": sms["metadata"],
    }


def sends(
    customers: Sequence[Customer],
    *,
    run: str,
    path: str = PATH,
    body: Callable[[int], Body] = an_sms,
) -> Iterator[bytes]:
    """Endless sends, one customer after the other. `run` keeps idempotency keys of several calls
    apart.
    """
    for number, customer in zip(count(), cycle(customers), strict=False):
        yield request_bytes(
            "POST",
            path,
            {
                "Authorization": f"Bearer {customer.key}",
                "Idempotency-Key": f"{run}-{number:09d}",
                "Content-Type": "application/json",
                "User-Agent": "bench/1",
                "Accept": "*/*",
            },
            orjson.dumps(body(number)),
        )


def recipient(number: int) -> str:
    """A Brazilian mobile whose last four digits, beginning with 1 to 9, say nothing to the sandbox."""
    return f"+55{AREAS[number % len(AREAS)]}9{6000 + number // 9000 % 4000}{1000 + number * 7919 % 9000}"
