"""Pages that consumers see, on the narrowest phone that is common."""

import pytest
from playwright.async_api import Browser
from starlette.requests import Request

from rest_api.support.consumer_pages import page_for

PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("language", ["pt-BR", "en"])
async def test_a_page_with_its_button_fits_a_phone(browser: Browser, language: str) -> None:
    asked = Request({"type": "http", "headers": [(b"accept-language", language.encode())]})
    told = "You will get no more offers at this address."
    html = bytes(page_for(asked, "Unsubscribe?", told, button="Unsubscribe").body)
    page = await browser.new_page(viewport=PHONE)  # type: ignore[arg-type]
    try:
        await page.set_content(html.decode())
        button = await page.get_by_role("button").bounding_box()
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert await page.evaluate("document.documentElement.lang") == language
    finally:
        await page.close()

    assert button is not None
    assert button["height"] >= 44  # what a thumb hits
    assert button["x"] + button["width"] <= PHONE["width"]
