"""The outline of a journey's steps in SQL: ids and routes without their large contents."""

from core.journeys.graph import WAYS

SETTINGS = ("canal", "ramos", *WAYS)
"""What the way, its channels and its kinds are read from, beside the ids and kinds of the steps."""

_CONFIG = ", ".join(f"'{name}', jsonb_extract_path(step, 'config', '{name}')" for name in SETTINGS)

OUTLINE = f"""ARRAY(
    SELECT jsonb_strip_nulls(jsonb_build_object(
        'id', step->'id', 'tipo', step->'tipo', 'proximo', step->'proximo', 'config', jsonb_build_object({_CONFIG})))
    FROM jsonb_array_elements({{t}}.steps) AS step)"""
"""SQL, with `{t}` for the alias of the journeys: their steps with nothing but that."""
