"""How far and how long a clock is moved."""

from datetime import timedelta

from core import organizations

MAX_AHEAD = timedelta(days=730)
"""How far a clock may be ahead of the real time."""
MAX_DUES = 200_000
"""What happens in one movement at most."""
MAX_SECONDS = 300.0
"""How long one movement takes at most."""
KNOWN_AFTER_SECONDS = organizations.CREDENTIAL_TTL + 0.5
"""How long the first setting of a clock takes: until then every process has learnt that there is one."""
LEASE = timedelta(seconds=60)
"""How long the clock of a worker that died waits for another worker."""
