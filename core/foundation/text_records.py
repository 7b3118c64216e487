"""TXT records of the DNS: looked up beside everything else, a few at a time, each by a clock."""

import asyncio
from typing import Protocol

from dns.asyncresolver import Resolver
from dns.exception import DNSException, Timeout
from dns.resolver import NXDOMAIN, Answer, NoAnswer

TIMEOUT_SECONDS = 5.0
"""For a whole look-up: waiting for a place, and every name server that is asked."""
MAX_AT_ONCE = 16
"""A customer's name server may be slow; look-ups of one process that are under way."""
MAX_RECORDS = 100
"""Of one name that are looked at."""


class LookUpFailed(Exception):
    """Nobody knows whether there is a record. `timed_out`: nobody answered in time."""

    def __init__(self, *, timed_out: bool) -> None:
        super().__init__("no answer in time" if timed_out else "no answer that can be used")
        self.timed_out = timed_out


class TextRecords(Protocol):
    """Who looks TXT records up."""

    async def texts(self, name: str) -> list[str]:
        """The texts of every TXT record of a name; none where there is no such name. Raises
        LookUpFailed.
        """
        ...


class DnsTextRecords:
    """The name servers of the machine, asked anew each time: nothing is remembered here."""

    def __init__(
        self,
        servers: list[str] | None = None,
        *,
        port: int = 53,
        seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        """`servers`: their addresses, in place of those that the machine names."""
        self._servers = servers
        self._port = port
        self._seconds = seconds
        self._places = asyncio.Semaphore(MAX_AT_ONCE)

    async def texts(self, name: str) -> list[str]:
        """The texts, as the name servers have them now. Raises LookUpFailed."""
        try:
            async with asyncio.timeout(self._seconds), self._places:
                answer = await self._ask(name)
        except (NXDOMAIN, NoAnswer):
            return []
        except (Timeout, TimeoutError):
            raise LookUpFailed(timed_out=True) from None
        except (DNSException, OSError, EOFError):
            raise LookUpFailed(timed_out=False) from None
        records = list(answer)[:MAX_RECORDS]
        return [b"".join(one.strings).decode("utf-8", "replace") for one in records]

    async def _ask(self, name: str) -> Answer:
        resolver = Resolver(configure=self._servers is None)
        if self._servers is not None:
            resolver.nameservers, resolver.port = self._servers, self._port
        return await resolver.resolve(f"{name}.", "TXT", lifetime=self._seconds)


_records: TextRecords | None = None


def use_text_records(records: TextRecords | None) -> None:
    """Tell this process who looks TXT records up; None: the name servers of the machine."""
    global _records
    _records = records


def text_records() -> TextRecords:
    """Who looks TXT records up."""
    global _records
    if _records is None:
        _records = DnsTextRecords()
    return _records
