"""The two statements of a summary, over cards created in the period and on the pipeline now.

Parameters: organization, environment, pipeline, from, to, responsible person or null; CARDS also
takes the present instant.
"""

CHOSEN = """
c.organization_id = $1 AND c.env = $2 AND c.pipeline_id = $3 AND c.created_at BETWEEN $4 AND $5
AND ($6::text IS NULL OR c.owner_id = $6)"""

# As fine as anything needs it, and no finer: every number of cards and money is a sum over some of
# these groups. What closed a deal is certain, whatever was thought of it before; an open one
# without any probability weighs nothing.
CARDS = f"""
SELECT c.stage_id, s.outcome, c.currency,
       CASE WHEN s.outcome = 'perda' THEN c.lost_reason_id END AS reason_id,
       CASE WHEN s.outcome = 'aberta' THEN to_char(c.expected_on, 'YYYY-MM') END AS month,
       count(*) AS cards,
       count(*) FILTER (
           WHERE s.outcome = 'aberta' AND floor(extract(epoch FROM $7 - c.stage_since) / 86400) > s.max_days) AS late,
       count(c.value) AS priced,
       coalesce(sum(c.value), 0) AS value,
       coalesce(sum(c.value * CASE s.outcome WHEN 'ganho' THEN 100 WHEN 'perda' THEN 0
                              ELSE coalesce(c.probability, s.probability, 0) END) * 0.01, 0) AS weighted,
       coalesce(sum(greatest(extract(epoch FROM c.won_at - c.created_at), 0)), 0) AS cycle
FROM cards c JOIN pipeline_stages s ON s.id = c.stage_id AND s.organization_id = c.organization_id
WHERE {CHOSEN}
GROUP BY 1, 2, 3, 4, 5
"""

# A card advanced from a stage when it stood further on later: in an open stage behind it, or won.
# Stages that were deleted since are jumped over. No card was anywhere before it was created; clocks
# differ by less than a day.
STAYS = f"""
WITH stays AS (
    SELECT h.id, h.card_id, h.to_stage_id, h.entered_at, h.left_at, h.seconds,
           CASE s.outcome WHEN 'ganho' THEN 1000000 WHEN 'perda' THEN -1 ELSE s.position END AS reach
    FROM cards c
    JOIN card_history h ON h.card_id = c.id AND h.entered_at IS NOT NULL
        AND h.organization_id = $1 AND h.env = $2 AND h.pipeline_id = $3
        AND h.entered_at >= $4::timestamptz - interval '1 day'
    JOIN pipeline_stages s ON s.id = h.to_stage_id AND s.pipeline_id = $3
    WHERE {CHOSEN}
), seen AS (
    SELECT *, max(reach) OVER (
        PARTITION BY card_id ORDER BY entered_at, left_at NULLS LAST, id
        ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS furthest
    FROM stays
)
SELECT to_stage_id AS stage_id, count(DISTINCT card_id) AS entered,
       count(DISTINCT card_id) FILTER (WHERE furthest > reach) AS advanced, avg(seconds) AS seconds
FROM seen GROUP BY to_stage_id
"""
