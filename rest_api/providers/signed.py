"""What the signed callbacks of providers share: whose signature stands under a request, and whether
it is taken.
"""

from datetime import UTC, datetime, time

from starlette.types import Scope

from core.foundation.observability.metrics import Counter
from core.foundation.settings import current
from core.providers import gateway

SIGNED = Counter(
    "svc_provider_callbacks_signed_total",
    "Callbacks with a right signature, by its version; v1 ends with SVC_CALLBACKS_V1_UNTIL.",
    ("version",),
)


def is_signed(scope: Scope, secret: str, signature: str, raw: bytes, *, at: datetime) -> bool:
    """Whether the request was signed for its address with the secret, by a version that still
    counts.
    """
    version = gateway.verify(secret, signature, raw, to=address_of(scope), at=int(at.timestamp()))
    if version is not None:
        SIGNED.labels(version).add()
    until = datetime.combine(current().callbacks_v1_until, time(), UTC)
    return gateway.is_accepted(version, v1_until=until, at=at)


def address_of(scope: Scope) -> str:
    """Method and path as they were sent, without the query: what v2 signs."""
    raw_path: bytes = scope.get("raw_path") or scope["path"].encode()
    return f"{scope['method']} {raw_path.partition(b'?')[0].decode('latin-1')}"
