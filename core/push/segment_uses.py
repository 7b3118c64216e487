"""How pushes use segments."""

from core import segments

WAITS = "{d}.due_at IS NOT NULL"
"""Whether a dispatch (`{d}`) has not begun: only then does its segment still matter."""

segments.counted_among_uses(
    "dispatches",
    f"""
        SELECT d.segment AS segment_id FROM push_dispatches d
        WHERE d.organization_id = $1 AND d.env = $2 AND {WAITS.format(d="d")} AND d.segment IS NOT NULL""",
)
