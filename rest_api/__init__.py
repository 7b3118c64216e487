"""The REST entry point: paths, parsing, statuses and shapes. It decides nothing."""
