"""Response reader: the answers of one connection out of the bytes that arrive, with bounds.

httptools (llhttp) reads the bytes; what an answer is, where it ends and what is too much is said
here.
"""

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from core.foundation.http_client.errors import BrokenExchange

SWITCHING_PROTOCOLS = 101

MAX_FIELD_BYTES = 8_190
"""A header's name or value, or the words behind a status."""
MAX_FIELDS = 128
MAX_HEAD_BYTES = 64 * 1024
"""Of all fields of a head together; and what may arrive without becoming a field or body."""
MAX_RESPONSE_HEADS = 1_000
"""Heads of answers, interim ones included: a stream of them would keep the loop busy until time is
up.
"""


class ResponseReader:
    """The answer to the request that was sent last, as far as it has arrived.

    `expect` begins a new one. Whatever is wrong ends in `failed`; what came before it stays.
    """

    __slots__ = (
        "_fields",
        "_head_bytes",
        "_heads",
        "_interim",
        "_parser",
        "_unread",
        "body",
        "complete",
        "failed",
        "headers",
        "reusable",
        "status",
    )

    def __init__(self) -> None:
        self._parser: HttpResponseParser | None = _a_parser(self)
        self.expect()

    def expect(self) -> None:
        """A request was sent: what arrives from now on is its answer."""
        self.status: int | None = None
        """Of the final answer; set once its head is whole."""
        self.headers: dict[bytes, bytes] = {}
        """By their names in lower case: the first of each, of `transfer-encoding` the last."""
        self.body = bytearray()
        self.complete = False
        self.failed = False
        self.reusable = False
        """Whether the connection may carry another request once this answer is complete."""
        self._heads = 0
        self._unread = 0
        self._begin_head()

    def feed(self, data: bytes) -> None:
        """Read what has arrived."""
        if self._parser is None:
            return
        self._unread += len(data)
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade):
            self._fail()
        if self._unread > MAX_HEAD_BYTES and not self.complete:
            self._fail()

    def end(self, *, cleanly: bool) -> None:
        """Nothing more arrives. `cleanly`: the peer said so, which ends a body without a length."""
        self._parser = None  # they refer to each other
        if self.complete:
            return
        if cleanly and self.status is not None and not self.failed and not self._has_length:
            self.complete = True
        else:
            self._fail()

    @property
    def _has_length(self) -> bool:
        coding = self.headers.get(b"transfer-encoding", b"")
        return coding.rstrip().lower().endswith(b"chunked") or b"content-length" in self.headers

    def _fail(self) -> None:
        self.failed = not self.complete
        self.reusable = False

    def _begin_head(self) -> None:
        self._interim = False
        self._fields = 0
        self._head_bytes = 0
        self.headers.clear()

    # What httptools calls. Whatever is raised ends the reading: `feed` sees an HttpParserError.

    def on_message_begin(self) -> None:
        if self.complete:
            raise BrokenExchange("more than one answer")
        self._heads += 1
        if self._heads > MAX_RESPONSE_HEADS:
            raise BrokenExchange("interim answers without end")

    def on_status(self, words: bytes) -> None:
        self._count(words)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields += 1
        self._count(name)
        self._count(value)
        if b"\0" in value:
            raise BrokenExchange("no text of HTTP")
        if self.status is None:  # else it is a trailer
            name = name.lower()
            if name not in self.headers or name == b"transfer-encoding":
                self.headers[name] = value

    def _count(self, part: bytes) -> None:
        size = len(part)
        self._head_bytes += size
        if size > MAX_FIELD_BYTES or self._head_bytes > MAX_HEAD_BYTES or self._fields > MAX_FIELDS:
            raise BrokenExchange("the head is too large")

    def on_headers_complete(self) -> None:
        assert self._parser is not None
        status = self._parser.get_status_code()
        if status < 100:
            raise BrokenExchange("no status of HTTP")
        if status < 200 and status != SWITCHING_PROTOCOLS:
            self._interim = True
        else:
            self.status = status
            self.reusable = status != SWITCHING_PROTOCOLS and self._parser.should_keep_alive()

    def on_body(self, piece: bytes) -> None:
        self._unread = 0
        self.body += piece

    def on_message_complete(self) -> None:
        if self._interim:
            self._unread = 0
            self._begin_head()
        else:
            self.complete = True


def _a_parser(reader: ResponseReader) -> HttpResponseParser:
    parser = HttpResponseParser(reader)
    # What servers in use get wrong without harm: bytes in headers, and a missing carriage return.
    parser.set_dangerous_leniencies(
        lenient_headers=True,
        lenient_optional_cr_before_lf=True,
        lenient_spaces_after_chunk_size=True,
    )
    return parser
