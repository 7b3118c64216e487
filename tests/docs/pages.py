"""The pages whose examples are tried."""

from tests.support.processes import ROOT

README = ROOT / "README.md"
GUIDE = ROOT / "rest_api/openapi/guide.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md")), GUIDE]
