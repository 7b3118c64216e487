"""The steps on which runs are due, in SQL: for whoever moves them, and for whoever measures the queue."""

STOOD_ON = """
stood_on AS (
    (SELECT version_id, step FROM journey_runs WHERE state = 1 ORDER BY version_id, step LIMIT 1)
    UNION ALL
    SELECT n.version_id, n.step FROM stood_on s CROSS JOIN LATERAL (
        SELECT version_id, step FROM journey_runs r
        WHERE state = 1 AND (r.version_id, r.step) > (s.version_id, s.step) ORDER BY version_id, step LIMIT 1) AS n
)"""
"""For `WITH RECURSIVE`. From one step that somebody stands on to the next, by the index alone: a million
people on a step cost as much as one.
"""

DUE_STEPS = """
SELECT s.version_id, s.step, first.due_at FROM stood_on s JOIN journeys j ON j.id = s.version_id
CROSS JOIN LATERAL (
    SELECT r.due_at FROM journey_runs r
    WHERE r.version_id = s.version_id AND r.step = s.step AND r.state = 1 AND r.due_at <= $1
    ORDER BY r.due_at LIMIT 1) AS first
WHERE j.status <> 'pausada'"""
"""Of those the steps on which somebody is due, open for further conditions. In a journey that is paused,
nobody is.
"""
