"""The settings by which Amazon carries every route and tells by both ways, for a fake of it."""

from tests.fakes.aws import ACCOUNT, TOPIC, FakeAws

QUEUE = f"https://sqs.sa-east-1.amazonaws.com/{ACCOUNT}/svc-events"


def amazon_settings(aws: FakeAws) -> dict[str, str]:
    """What the environment of a process says of this AWS."""
    return {
        "AWS_ENDPOINT_URL": aws.url,
        "AWS_ACCESS_KEY_ID": "of-the-test",
        "AWS_SECRET_ACCESS_KEY": "of-the-test",
        "SVC_EUM_ORIGIN_PREMIUM": "pool-1",
        "SVC_EUM_ORIGIN_OTP": "pool-2",
        "SVC_EUM_CONFIGURATION_SET": "svc",
        "SVC_AMAZON_EVENTS_QUEUE": QUEUE,
        "SVC_AMAZON_TOPICS": TOPIC,
        "SVC_AMAZON_PARTS_PER_SECOND": "10000",
    }
