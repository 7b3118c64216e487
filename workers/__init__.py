"""The workers: loops that drain due rows, and arq for wake-ups and the clock."""
