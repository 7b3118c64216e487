"""Somebody who looks at a page, and what the browser noticed meanwhile."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from playwright.async_api import Browser, ConsoleMessage, Page, Request, WebSocket

from tests.support.waiting import PATIENCE

Scheme = Literal["light", "dark"]

WATCHED = """
  window.sockets = [];
  window.said = [];
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll("[role=status]"))
      if (textContent && textContent !== said.at(-1)) said.push(textContent);
  }).observe(document, { subtree: true, childList: true, characterData: true });
  window.WebSocket = class extends WebSocket {
    constructor(...given) { super(...given); sockets.push(this); }
  };
"""
"""Keeps the page's connections at hand, so that a test can cut them, and sentences that go by themselves."""


class Visit:
    """One page in a browser profile of its own."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.frames: list[str] = []
        self.open_sockets = 0
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)
        page.on("websocket", self._connected)

    async def open(self, path: str) -> None:
        """Go to a page of the service."""
        await self.page.goto(f"{self.url}{path}")

    async def kept(self) -> str:
        """All that the browser would remember of the page."""
        found: str = await self.page.evaluate(
            "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, history.state])"
        )
        return found

    async def cut(self) -> None:
        """Every open connection over WebSocket is lost."""
        await self.page.evaluate("sockets.forEach((socket) => socket.close(3000))")

    async def hears(self, sentence: str) -> None:
        """The page says, or has said, something that goes by itself."""
        is_said = "(sentence) => said.some((one) => one.includes(sentence))"
        await self.page.wait_for_function(is_said, arg=sentence)

    def forgive(self, part: str) -> int:
        """Take back the complaints that a test means to cause: how many there were."""
        kept = [complaint for complaint in self.complaints if part not in complaint]
        forgiven = len(self.complaints) - len(kept)
        self.complaints = kept
        return forgiven

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _asked(self, request: Request) -> None:
        self._went(request.url)

    def _connected(self, socket: WebSocket) -> None:
        self._went(socket.url.replace("ws", "http", 1))
        self.open_sockets += 1
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))
        socket.on("close", lambda _: self._disconnected())

    def _disconnected(self) -> None:
        self.open_sockets -= 1

    def _went(self, url: str) -> None:
        if not url.startswith((f"{self.url}/", "data:", "blob:")):
            self.elsewhere.append(url)


@asynccontextmanager
async def a_visit(
    browser: Browser,
    url: str,
    *,
    scheme: Scheme = "light",
    width: int = 1280,
    height: int = 800,
    locale: str = "en-US",
) -> AsyncIterator[Visit]:
    """Visit; in the end the page must have asked no other host, and the browser must not have
    complained.
    """
    context = await browser.new_context(
        color_scheme=scheme,
        viewport={"width": width, "height": height},
        locale=locale,
        timezone_id="America/Sao_Paulo",
        reduced_motion="reduce",  # axe would find the contrast of what is still arriving
    )
    try:
        context.set_default_timeout(PATIENCE * 1000)
        await context.add_init_script(WATCHED)
        visit = Visit(await context.new_page(), url)
        yield visit
        assert visit.elsewhere == []
        assert visit.complaints == []
    finally:
        await context.close()
