"""The worker process: polling loops that drain due rows, and arq for wake-ups and cron jobs."""
