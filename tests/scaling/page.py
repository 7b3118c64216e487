"""The blocks of docs/scaling.md that the tests run as they stand there."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"
TEXT = PAGE.read_text()


def sql(name: str) -> str:
    """The SQL below `<!-- tried: name -->`."""
    (block,) = re.findall(
        rf"^<!-- tried: {name} -->\n```sql\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE
    )
    return str(block)


def ini(containing: str) -> dict[str, str]:
    """The settings of the one block that sets this name; sections and comments left out."""
    blocks = re.findall(r"^```ini\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)
    (block,) = [
        block for block in blocks if re.search(rf"^{containing}\b", block, flags=re.MULTILINE)
    ]
    lines = [line for line in block.splitlines() if "=" in line and not line.startswith(";")]
    return {
        name.strip(): value.strip() for name, _, value in (line.partition("=") for line in lines)
    }
