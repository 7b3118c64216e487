"""Confirming a subscription of ours: by a call of our own, never by visiting the address that came with it."""

from core.foundation.errors import ServiceUnavailable
from core.foundation.settings import Settings
from core.providers.amazon.calls import SNS_API, AwsError
from core.providers.amazon.notification import SnsNotification, region_of
from core.providers.amazon.opening import api_for
from core.providers.gateway.session import open_session


class NotConfirmed(ServiceUnavailable):
    default_detail = "Amazon did not take the confirmation; send it again later."


async def confirm_subscription(settings: Settings, notification: SnsNotification) -> None:
    """Tell Amazon that we want the notifications of a topic that the settings name. Raises
    NotConfirmed.
    """
    assert notification.topic in settings.amazon_topics
    async with open_session() as session:
        api = api_for(SNS_API, region_of(notification.topic), session)
        try:
            await api.call(
                "ConfirmSubscription",
                {"TopicArn": notification.topic, "Token": notification.token or ""},
            )
        except AwsError:
            raise NotConfirmed from None
