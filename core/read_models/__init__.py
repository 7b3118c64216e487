"""Read models behind GraphQL: the query compiler, timelines, statistics and live updates."""
