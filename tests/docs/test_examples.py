"""Every example of the pages is true: it runs against a real service and answers what is printed under it."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.webhooks.signing import sign
from rest_api.app import OPERATIONS
from rest_api.openapi import document
from tests.docs.fits import misfits, read_documents
from tests.docs.markdown import Block, blocks_of
from tests.docs.shell import Exchange, Shell
from tests.rest_api.contract import must_fit
from tests.support.processes import ROOT
from tests.support.service import Running, Service
from tests.support.waiting import eventually

GUIDE = ROOT / "rest_api/openapi/guide.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), GUIDE]
EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
PASSWORD = "correct horse battery staple"
OWNERS = ("owner@demo.test", "owner@example.com")
"""Who the pages log in as."""

NOT_RUN = json.loads(Path(__file__).with_name("not_run.json").read_text())
"""By page, the reasons of the examples that are not tried: a new one is added here, where it is seen."""
