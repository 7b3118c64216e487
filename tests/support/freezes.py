"""`svc` whose worker stops, as by SIGSTOP, the first time that it holds the row of a wallet."""

import os
import signal
from typing import Any

from cli.app import main
from core import wallet

_book = wallet.book


async def book(*arguments: Any, **options: Any) -> Any:
    """Book, and stop before anything is committed."""
    booked = await _book(*arguments, **options)
    wallet.book = _book
    os.kill(os.getpid(), signal.SIGSTOP)
    return booked


wallet.book = book

if __name__ == "__main__":
    main()
