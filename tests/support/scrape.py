"""The metrics of a running service, as Prometheus reads them, and the processes behind one port."""

import aiohttp
import psutil
from prometheus_client.parser import text_string_to_metric_families

from tests.support.processes import Process


async def scraped(url: str) -> dict[tuple[str, ...], float]:
    """Values by name and values of the labels, over a new connection: any of the processes may
    answer.
    """
    async with aiohttp.ClientSession() as http, http.get(f"{url}/metrics") as answer:
        assert answer.status == 200
        text = await answer.text()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def those_that_serve(api: Process) -> list[psutil.Process]:
    """The processes that answer, of an API of several; without the one above them."""
    (above,) = [process for process in api.all_of_it if "--workers" in process.cmdline()]
    return [process for process in above.children() if "spawn_main" in " ".join(process.cmdline())]
