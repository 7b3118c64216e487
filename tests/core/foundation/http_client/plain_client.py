"""A client that is not ours, for comparison: h11 reads the same bytes and says what they are."""

from dataclasses import dataclass

import h11

from tests.core.foundation.http_client.wire import BODY, Script


@dataclass(frozen=True)
class PlainAnswer:
    """The answer to one POST. `complete`: its body too, to its end; `reusable`: and then nothing,
    and the peer wants to go on.
    """

    status: int
    body: bytes
    retry_after: str | None
    complete: bool
    reusable: bool


def told_by_h11(script: Script) -> PlainAnswer | None:
    """What the peer's first answer comes to; None where h11 finds no answer in it."""
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=1 << 20)
    request = h11.Request(
        method="POST",
        target="/hook",
        headers=[("Host", "127.0.0.1:8080"), ("Content-Length", str(len(BODY)))],
    )
    for event in (request, h11.Data(data=BODY), h11.EndOfMessage()):
        connection.send(event)
    response, body, complete = None, bytearray(), False
    try:
        connection.receive_data(b"".join(script.pieces))
        if script.end == "closed":
            connection.receive_data(b"")
        while not isinstance(said := connection.next_event(), _NOTHING):
            if isinstance(said, h11.Response):
                response = said
            elif isinstance(said, h11.Data):
                body += said.data
            elif isinstance(said, h11.EndOfMessage):
                complete = True
    except h11.RemoteProtocolError:
        pass
    if response is None:
        return None
    asked = [value for name, value in response.headers if name == b"retry-after"]
    reusable = (
        complete
        and script.end == "open"
        and connection.their_state is h11.DONE
        and not connection.trailing_data[0]
    )
    return PlainAnswer(
        response.status_code,
        bytes(body),
        asked[0].decode("latin-1") if asked else None,
        complete,
        reusable,
    )


_NOTHING = (type(h11.NEED_DATA), type(h11.PAUSED), h11.ConnectionClosed)
