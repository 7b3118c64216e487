"""The content of an outgoing RCS message, with short links where they were asked for."""

from typing import Any, NamedTuple

from core.foundation.settings import current
from core.rcs.errors import TooLongWithLinks
from core.rcs.inputs import MAX_TEXT_LENGTH, NewRcs
from core.short_links import PlannedLink, plan_link, plan_links


class Leaving(NamedTuple):
    """The content as it reaches the device, and its short links in their order."""

    content: dict[str, Any]
    links: tuple[PlannedLink, ...]


def leaving(new: NewRcs) -> Leaving:
    """What leaves of a new message. The image keeps its own address. Raises TooLongWithLinks."""
    content = new.content.model_dump(mode="json", by_alias=True, exclude_none=True)
    if not new.track_links:
        return Leaving(content, ())
    if "text" in content:
        text, links = plan_links(content["text"], current().base_url)
        if len(text) > MAX_TEXT_LENGTH:
            raise TooLongWithLinks
        return Leaving({"text": text}, links)
    planned: dict[str, tuple[str, PlannedLink]] = {}
    for button in content["card"].get("suggestions", ()):
        if button["type"] == "openUrl":
            url = button["url"]
            planned[url] = planned.get(url) or plan_link(url, current().base_url)
            button["url"] = planned[url][0]
    return Leaving(content, tuple(link for _, link in planned.values()))
