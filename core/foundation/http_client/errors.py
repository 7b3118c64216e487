"""How an exchange fails, besides the refusals of `policy` and the errors of sockets and TLS."""


class BrokenExchange(ConnectionError):
    """No answer, or not the whole of one: the peer hung up, or what it says cannot be read."""


class ClientClosed(BrokenExchange):
    """The client was closed before the request or under it: our shutdown, no fault of the peer."""
