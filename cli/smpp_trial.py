"""`svc smpp-account test`: one message by SMPP, as a client sends it, and what each answer means."""

import asyncio
import socket
import ssl
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.failures import Failure
from cli.output import Record

SECONDS = 20.0


async def try_account(
    system_id: Annotated[str, typer.Argument(help="The systemId of the account.")],
    *,
    to: Annotated[str, typer.Option(help="Whom the message is for, in E.164.")],
    text: Annotated[str, typer.Option(help="What it says.")],
    password: Annotated[
        str,
        typer.Option(
            envvar="SVC_SMPP_PASSWORD", prompt=True, hide_input=True, help="Its password."
        ),
    ],
    host: Annotated[str, typer.Option(help="Where svc smpp listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port there.")] = 2775,
    tls: Annotated[bool, typer.Option(help="Speak TLS.")] = False,
    ca: Annotated[
        Path | None,
        typer.Option(help="PEM file of who signs the server's certificate, with --tls."),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(help="PEM file of a certificate and its key that is shown, with --tls."),
    ] = None,
) -> Record:
    """Bind, send one message as a client would, and unbind. It costs what a message costs."""
    from core import sms
    from smpp_api.wire.bodies import Address, Bind, Nothing, ShortMessage
    from smpp_api.wire.commands import Command
    from smpp_api.wire.parts import HAS_HEADER, cut
    from smpp_api.wire.texts import write_text

    octets, coding = write_text(text, "gsm")
    parts = cut(octets, coding, reference=1)
    async with asyncio.timeout(SECONDS):
        try:
            line = await _Line.opened(host, port, tls=_context(ca, certificate) if tls else None)
        except (ConnectionError, socket.gaierror):
            raise Failure(
                f"nobody listens for SMPP at {host}:{port}; start `svc smpp`, or name its --host and --port"
            ) from None
        try:
            bound = await line.ask(Command.BIND_TRANSMITTER, Bind(system_id, password))
            answers = []
            for part in parts if bound["status"] == "ESME_ROK" else ():
                message = ShortMessage(
                    destination=Address(to.removeprefix("+"), 1, 1),
                    text=part,
                    data_coding=coding,
                    esm_class=HAS_HEADER if len(parts) > 1 else 0,
                )
                answers.append(await line.ask(Command.SUBMIT_SM, message))
            if answers:
                await line.ask(Command.UNBIND, Nothing())
        finally:
            line.close()
    segments = sms.encode_sms(text).segments
    return {"bind": bound, "parts": len(parts), "segments": segments, "answers": answers}


def _context(ca: Path | None, certificate: Path | None) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=ca)
        if certificate is not None:
            context.load_cert_chain(certificate)
    except (OSError, ssl.SSLError) as error:
        sys.exit(f"--ca and --certificate are not read: {type(error).__name__}")
    return context


class _Line:
    """A connection that asks one thing after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from smpp_api.wire.frames import Frames

        self._reader, self._writer = reader, writer
        self._frames = Frames()
        self._sequence = 0

    @classmethod
    async def opened(cls, host: str, port: int, *, tls: ssl.SSLContext | None) -> "_Line":
        return cls(*await asyncio.open_connection(host, port, ssl=tls))

    async def ask(self, command: int, body: Any) -> dict[str, str]:
        """The status of the answer by its name, the id, and the sentence of a refusal."""
        from smpp_api.wire.bodies import Named, read_body
        from smpp_api.wire.commands import CommandStatus
        from smpp_api.wire.frames import framed
        from smpp_api.wire.parameters import Tag

        self._sequence += 1
        self._writer.write(framed(command, self._sequence, body.write()))
        while True:
            data = await self._reader.read(65_536)
            if not data:
                return {"status": "closed"}
            for frame in self._frames.arrived(data):
                if frame.sequence == self._sequence:
                    answer = read_body(frame.command, frame.body)
                    told = {"status": CommandStatus(frame.status).name}
                    if isinstance(answer, Named):
                        why = answer.parameters.get(Tag.ADDITIONAL_STATUS_INFO_TEXT, b"")
                        sentence = why.rstrip(b"\0").decode("ascii", "replace")
                        told |= {"id": answer.name} if answer.name else {}
                        told |= {"why": sentence} if sentence else {}
                    return told

    def close(self) -> None:
        self._writer.close()
