"""The providers `cloud-eum` (AWS End User Messaging SMS) and `cloud-sns` (Amazon SNS).

Nothing here imports aiobotocore but `credentials`, which is imported only when Amazon is set: it
costs a second.
"""

EUM = "cloud-eum"
SNS = "cloud-sns"

__all__ = ["EUM", "SNS"]
