"""How journeys use segments."""

from core import segments

USES_SEGMENT = """(
    {j}.trigger->>'segmentId' = {id}
    OR jsonb_path_exists(jsonb_build_array({j}.steps, {j}.exit_when),
        '$.**?(@.field == "segment" && @.value == $id)', jsonb_build_object('id', {id})))"""
"""Whether a journey (`{j}`) begins with a segment (`{id}`), or asks for it on the way."""

segments.counted_among_uses(
    "journeys",
    """
        SELECT of.segment_id FROM journeys j CROSS JOIN LATERAL (
            SELECT j.trigger->>'segmentId' AS segment_id
            UNION SELECT value #>> ARRAY[]::text[] FROM jsonb_path_query(
                jsonb_build_array(j.steps, j.exit_when), '$.**?(@.field == "segment").value[*]') AS value) AS of
        WHERE j.organization_id = $1 AND j.env = $2 AND j.status <> 'arquivada' AND of.segment_id IS NOT NULL""",
)
