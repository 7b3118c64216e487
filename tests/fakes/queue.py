"""A queue that only remembers."""

from core.foundation.jobs import Job


class RecordedQueue:
    """The wake-ups in the order they left."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    async def wake(self, job: Job) -> None:
        """Remember the wake-up."""
        self.jobs.append(job)
