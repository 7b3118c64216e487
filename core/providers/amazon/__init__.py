"""The providers `cloud-eum` (AWS End User Messaging SMS) and `cloud-sns` (Amazon SNS).

Nothing here imports aiobotocore but `credentials`, which is imported only when Amazon is set: it
costs a second.
"""

from core.providers.amazon.names import EUM, SNS

__all__ = ["EUM", "SNS"]
