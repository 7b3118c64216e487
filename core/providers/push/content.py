"""The data of a notification that reaches every app, whichever provider carries it."""

import orjson

from core.providers.push.contracts import PushNotification

TTL_SECONDS = 24 * 3600
"""How long a push service keeps it for a device that is away."""


def data_of(notification: PushNotification) -> dict[str, str]:
    """Texts by name, as Firebase wants them; `dispatchId` is what the app tells an open by."""
    data = {"dispatchId": notification.dispatch_id}
    if notification.deep_link:
        data["deepLink"] = notification.deep_link
    if notification.image_url:
        data["imageUrl"] = notification.image_url
    if notification.actions:
        data["actions"] = orjson.dumps(list(notification.actions)).decode()
    return data


def payload_of(notification: PushNotification) -> dict[str, object]:
    """The same with what is shown, for apps that show it themselves (a browser's service worker)."""
    shown = {} if notification.silent else {"title": notification.title, "body": notification.body}
    actions = {"actions": list(notification.actions)} if notification.actions else {}
    return {**shown, **data_of(notification), **actions}
