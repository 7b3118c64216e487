"""Where the API listens, and whether it answers there."""

import http.client
import socket

from cli.failures import Failure

ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (compared with, not listened on)


class AddressTaken(Failure):
    """Something else listens there."""


def free_port(host: str, port: int) -> int:
    """The port itself if nobody listens on it, or a free one for 0. Raises AddressTaken."""
    try:
        return must_be_free(host, port)
    except AddressTaken as error:
        raise AddressTaken(f"{error}; `svc dev --port 0` picks a free port") from error


def must_be_free(host: str, port: int) -> int:
    """The port on which one can listen there: itself, or a free one for 0. Raises AddressTaken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As the server will: a port that was closed a moment ago is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise AddressTaken(f"cannot listen on {host}:{port} ({error.strerror})") from error
        return int(probe.getsockname()[1])


def url_of(host: str, port: int) -> str:
    """The address as a person types it."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def reachable(host: str) -> str:
    """The host to call a server that listens on `host`."""
    return ANY.get(host, host)


def answers_ready(host: str, port: int) -> bool:
    """Whether `/readyz` answers 200."""
    connection = http.client.HTTPConnection(reachable(host), port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
