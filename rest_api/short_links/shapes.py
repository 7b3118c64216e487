"""The shapes of short links."""

from rest_api.support.shapes import Address, Listed, Out, Timestamp


class ShortLink(Out):
    """A link of a message. `clicks` and `lastClickedAt` count people, `botClicks` scanners and
    previews.
    """

    short_url: Address
    url: Address
    clicks: int
    bot_clicks: int
    last_clicked_at: Timestamp | None = None


class LinkPage(Listed):
    """The links of one message in the order of its text."""

    items: list[ShortLink]
