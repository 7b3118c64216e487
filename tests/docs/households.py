"""Makes the demo organizations that the pages are read with: `households.py FOLDER COUNT`.

Each is what `svc dev` makes on its first start, in the database of the environment:
FOLDER/0/.svc/demo.json and so on.
"""

import asyncio
import sys
from pathlib import Path

from cli import demo_data


async def make(folder: Path, count: int) -> None:
    for number in range(count):
        # They share one database here: an address of its own tells which organization logs in.
        demo_data.OWNER = f"owner-{number}@demo.test"
        await demo_data.ensure_demo(folder / str(number) / ".svc")


if __name__ == "__main__":
    asyncio.run(make(Path(sys.argv[1]), int(sys.argv[2])))
