"""What an operation needs of the socket that it came from."""

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass

from graphql_api.subscriptions.protocol import Closing


@dataclass(frozen=True, slots=True)
class Outlet:
    """The way to one client. `send` waits for a client that is behind in reading, `write` does not.

    `write` takes whole text frames as they go over the wire; False, with nothing written, while the
    client is behind. It is None where the server offers no such thing. `still_welcome` raises
    Closing; of sockets that are told the same and have an equal `credential` it need be asked of
    one alone.
    """

    send: Callable[[str], Awaitable[None]]
    write: Callable[[bytes], bool] | None
    close: Callable[[Closing], None]
    still_welcome: Callable[[], Awaitable[None]]
    credential: Hashable
    token: str | None
    """Of the credential, by which it is read together with others."""
