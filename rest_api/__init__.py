"""The REST door: paths, parsing, statuses and shapes. It decides nothing."""
