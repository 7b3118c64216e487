"""The pages whose examples are tried."""

from tests.support.processes import ROOT

README = ROOT / "README.md"
TOUR = "\n## A tour\n"
"""The section of the README from which every other page goes on."""
GUIDE = ROOT / "rest_api/openapi/guide.md"
SUBSCRIPTIONS = ROOT / "docs/graphql-subscriptions.md"
WEBHOOKS = ROOT / "docs/webhooks.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md")), GUIDE]
