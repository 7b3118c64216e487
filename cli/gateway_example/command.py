"""`svc gateway-example`: walk the live way on one machine, or through an aggregator."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.address import must_be_free, url_of
from cli.failures import Failure
from cli.output import say, show
from cli.signals import until_told_to_stop

if TYPE_CHECKING:
    from cli.gateway_example.carriers import Carrier
    from cli.gateway_example.memory import Memory
    from cli.gateway_example.server import ExampleGateway

Behind = Literal["endings", "twilio"]

SHOWN = ("id", "inReplyTo", "reference", "channel", "route", "to", "from", "text", "content", "body", "status", "reason")  # fmt: skip


async def gateway_example(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 9100,
    secret: Annotated[
        str | None,
        typer.Option(
            envvar="SVC_GATEWAY_SECRET",
            help="The secret shared with the service; default: a new one, shown at the start.",
        ),
    ] = None,
    service: Annotated[
        str, typer.Option(help="Where the service takes receipts and replies.")
    ] = "http://127.0.0.1:8000",
    carrier: Annotated[
        Behind,
        typer.Option(
            help="endings: the last digits decide, and nothing leaves; twilio: it leaves."
        ),
    ] = "endings",
    delay: Annotated[
        float, typer.Option(min=0, help="Seconds until a report, where digits decide.")
    ] = 1.0,
    public_url: Annotated[
        str | None, typer.Option(help="twilio: our address as Twilio reaches it, https.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="SQLite file of the ids that were taken; default: in memory."),
    ] = None,
) -> None:
    """Run a small gateway for live SMS and RCS that prints what it receives, until Ctrl-C.

    It speaks the protocol of docs/gateway.md and needs nothing of the service but its address. By
    default the last digits of the recipient choose what is answered and reported; docs/adapters.md
    lists them, and how to put an aggregator behind it. With --json every line is one JSON object.
    """
    from cli.gateway_example.memory import Memory
    from cli.gateway_example.server import ExampleGateway

    if secret is not None and len(secret) < 16:
        raise typer.BadParameter("at least 16 characters", param_hint="--secret")
    ours = secret or secrets.token_urlsafe(24)
    port = must_be_free(host, port)
    memory = Memory(file or ":memory:")
    behind = _carrier(carrier, memory, delay=delay, public_url=public_url)
    gateway = ExampleGateway(behind, memory, secret=ours, service=service, told=_tell)
    try:
        await _serve(gateway, host, port, behind.name)
    finally:
        memory.close()
    say("stopped")


async def _serve(gateway: "ExampleGateway", host: str, port: int, carrier: str) -> None:
    """Answer until somebody wants to stop."""
    from aiohttp import web

    stop = until_told_to_stop()
    runner = web.AppRunner(gateway.app(), access_log=None, shutdown_timeout=10)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        url, service, secret = url_of(host, port), gateway.service, gateway.secret
        show(
            {"listening": url, "carrier": carrier, "service": service, "secret": secret},
            text=f"listening on {url} ({carrier}), reporting to {service}\n"
            f"for the service:  export SVC_GATEWAY_URL={url} SVC_GATEWAY_SECRET={secret}",
        )
        await stop.wait()
    finally:
        await runner.cleanup()


def _carrier(name: Behind, memory: "Memory", *, delay: float, public_url: str | None) -> "Carrier":
    if name == "endings":
        from cli.gateway_example.endings import Endings

        return Endings(memory.tell, delay=delay)
    from cli.gateway_example.twilio import API, Twilio

    wanted = ("TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM")
    given = [os.environ.get(variable, "") for variable in wanted]
    missing = [variable for variable, value in zip(wanted, given, strict=True) if not value]
    if missing or not public_url:
        raise Failure(f"set {', '.join([*missing, *([] if public_url else ['--public-url'])])}")
    account, token, sender = given
    return Twilio(
        memory.tell,
        memory,
        account=account,
        token=token,
        sender=sender,
        public=public_url,
        api=os.environ.get("TWILIO_API", API),
    )


def _tell(what: str, **facts: Any) -> None:
    """One line of what happened."""
    line = {name: facts[name] for name in SHOWN if facts.get(name) is not None}
    answer = facts.get("answer")
    told = "  ".join(f"{name}={value}" for name, value in line.items())
    with suppress(BrokenPipeError):
        show({"what": what, **line, "answer": answer}, text=f"{what:<13} {told}  -> {answer}")
