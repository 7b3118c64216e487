"""No statement and no function of a migration says in which schema its tables are: the role's `search_path` does."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"""\bpublic\.(?:"|svc_|\{)|'public'|--schema=public""")

EXCEPT = {
    "core/operations/diagnostics.py": "the id of a database, as it was before there were schemas beside it",
}


def test_no_sql_names_a_schema() -> None:
    """Nor do the tests: they run in a distributed schema, too."""
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for top in ("core", "cli", "workers", "rest_api", "graphql_api", "smpp_api", "bench")
        for path in sorted((ROOT / top).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in EXCEPT
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if NAMED.search(line)
    ]

    assert found == []
