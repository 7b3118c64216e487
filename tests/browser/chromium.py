"""Where the browser of the tests is."""

import os
import shutil
from pathlib import Path

from playwright.async_api import Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

MISSING = (
    "NOT RUN: no Chromium here. Install one (apt-get install chromium, or playwright install chromium), "
    "or name its program in SVC_TEST_CHROMIUM."
)

OPTIONS = (
    "--no-sandbox",  # as root it does not start otherwise, and it is shown nothing but our pages
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # there is no network
    "--force-prefers-reduced-motion",
)


def chromium(playwright: Playwright) -> str | None:
    """The program, or None: what SVC_TEST_CHROMIUM says, Playwright's own, or one of the machine."""
    named = os.environ.get("SVC_TEST_CHROMIUM")
    if named is not None:
        return shutil.which(named)
    own = playwright.chromium.executable_path
    if Path(own).exists():
        return own
    return next(filter(None, map(shutil.which, NAMES)), None)
