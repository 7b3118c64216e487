"""What every flood is told, and what it counts."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class Flood:
    """Where to, as whom, and how much: `done` counts answers, or what sockets were told."""

    port: int
    key: str
    number_id: str = ""
    template_id: str = ""
    done: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
