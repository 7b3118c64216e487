"""What stands in the way of people on a page, as axe sees it."""

from pathlib import Path

from playwright.async_api import Page

AXE = (Path(__file__).parent / "axe/axe.min.js").read_text(encoding="utf-8")
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


async def barriers(page: Page) -> list[str]:
    """What axe finds in the way of people."""
    return await _found(page, STANDARDS)


async def contrasts(page: Page) -> list[str]:
    """What is hard to read: all that depends on the theme."""
    return await _found(page, {"type": "rule", "values": ["color-contrast"]})


async def _found(page: Page, rules: object) -> list[str]:
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    found = await page.evaluate(
        "(rules) => axe.run({ runOnly: rules, resultTypes: ['violations'] })", rules
    )
    return [
        f"{one['id']}: {node['html']} {[part['message'] for part in node['any'] + node['all'] + node['none']]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]
