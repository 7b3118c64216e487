"""The pages whose examples are tried."""

from tests.support.processes import ROOT

GUIDE = ROOT / "rest_api/openapi/guide.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), GUIDE]
