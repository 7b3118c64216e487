"""Counting: cheap, whole over the processes of one port, and readable by Prometheus."""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from core.foundation.observability.metrics import (
    FAMILIES,
    Counter,
    Gauge,
    Histogram,
    ReadGauge,
    as_page,
)
from core.foundation.observability.metrics.cells import Cells

HITS = ("hits_total", ("POST",))
LEVEL = ("level", ())


@pytest.fixture
def families() -> Iterator[None]:
    """What a test declares is forgotten again."""
    known = dict(FAMILIES)
    yield
    FAMILIES.clear()
    FAMILIES.update(known)


def samples(
    readings: dict[ReadGauge, dict[tuple[str, ...], float]] | None = None,
) -> dict[tuple[str, ...], float]:
    """The page as Prometheus reads it: values by name and labels."""
    return {
        (
            sample.name,
            *(f"{name}={value}" for name, value in sorted(sample.labels.items())),
        ): sample.value
        for family in text_string_to_metric_families(as_page(readings or {}).decode())
        for sample in family.samples
    }


@pytest.mark.usefixtures("families")
class TestFamilies:
    def test_a_counter_counts_by_label(self) -> None:
        counter = Counter("svc_a_total", "A.", ("kind",))

        counter.labels("x").add()
        counter.labels("x").add(2)
        counter.labels("y").add()

        found = samples()
        assert (found["svc_a_total", "kind=x"], found["svc_a_total", "kind=y"]) == (3, 1)

    def test_what_has_no_labels_is_shown_before_it_happens(self) -> None:
        Counter("svc_b_total", "B.")

        assert samples()["svc_b_total",] == 0

    def test_a_histogram_sorts_durations_into_buckets_that_hold_their_bound(self) -> None:
        times = Histogram("svc_c_seconds", "C.", bounds=(0.1, 1))

        for seconds in (0.1, 0.2, 1, 5):
            times.labels().observe(seconds)

        found = samples()
        buckets = [found["svc_c_seconds_bucket", f"le={bound}"] for bound in ("0.1", "1", "+Inf")]
        assert buckets == [1, 3, 4]
        assert found["svc_c_seconds_count",] == 4
        assert found["svc_c_seconds_sum",] == pytest.approx(6.3)

    def test_a_gauge_shows_its_last_level(self) -> None:
        gauge = Gauge("svc_d", "D.", ("state",))
        for level in (3, 2):
            gauge.labels("idle").set(level)

        assert samples()["svc_d", "state=idle"] == 2

    def test_a_reading_is_shown_as_it_was_looked_up_for_the_page(self) -> None:
        reading = ReadGauge("svc_e", "E.", ("queue",))

        assert samples({reading: {("a",): 7}})["svc_e", "queue=a"] == 7
        assert ("svc_e", "queue=a") not in samples()

    def test_a_name_is_declared_once(self) -> None:
        Counter("svc_f_total", "F.")

        with pytest.raises(AssertionError, match="declared twice"):
            Counter("svc_f_total", "Another.")

    def test_a_label_too_many_is_noticed(self) -> None:
        with pytest.raises(AssertionError, match="svc_g_total has the labels"):
            Counter("svc_g_total", "G.", ("kind",)).labels("x", "y")

    def test_a_page_names_and_explains_every_family(self) -> None:
        Counter("svc_h_total", "What H counts.", ("kind",))

        page = as_page({}).decode()

        assert "# HELP svc_h_total What H counts.\n# TYPE svc_h_total counter\n" in page


# Several processes ------------------------------------------------------------------------------------


Start = Callable[[], Cells]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts what a process would hold, all in one folder."""
    started: list[Cells] = []

    def one_more() -> Cells:
        cells = Cells()
        cells.share(tmp_path)
        started.append(cells)
        return cells

    yield one_more
    for cells in started:
        killed(cells)


def count(cells: Cells, amount: float = 1) -> None:
    cells.values[cells.take(HITS, 1, lasts=True)] += amount


def killed(cells: Cells) -> None:
    """It ends without a word: nobody holds its file any more."""
    if cells._file is not None:
        cells.values.release()
        cells._file.close()
        cells._file = None


def test_each_process_shows_what_all_of_them_counted(start: Start) -> None:
    one, other = start(), start()
    count(one)
    count(other, 2)

    assert one.everything()[HITS] == other.everything()[HITS] == [3]


def test_what_was_counted_before_sharing_counts_too(start: Start, tmp_path: Path) -> None:
    count(early := Cells(), 5)
    early.share(tmp_path)
    count(early)

    assert start().everything()[HITS] == [6]
    killed(early)


def test_what_a_killed_process_had_counted_stays(start: Start, tmp_path: Path) -> None:
    one, other = start(), start()
    count(one)
    count(other, 2)
    killed(one)
    assert other.everything()[HITS] == [3]

    successor = start()
    count(successor, 10)

    assert successor.everything()[HITS] == other.everything()[HITS] == [13]
    assert len(list(tmp_path.iterdir())) == 2, "it took the file over"


def test_a_successor_whose_series_stand_elsewhere_takes_the_right_ones_over(
    start: Start, tmp_path: Path
) -> None:
    old = start()
    old.take(("first_total", ()), 3, lasts=True)
    count(old, 4)
    killed(old)

    count(successor := Cells())
    successor.share(tmp_path)

    assert successor.everything() == {HITS: [5], ("first_total", ()): [0, 0, 0]}
    killed(successor)


def test_the_levels_of_a_killed_process_are_not_taken_over(start: Start) -> None:
    old = start()
    old.values[old.take(LEVEL, 1, lasts=False)] = 7
    killed(old)

    successor = start()
    successor.values[successor.take(LEVEL, 1, lasts=False)] = 1

    assert successor.everything()[LEVEL] == [1]


def test_a_process_that_ends_in_order_leaves_its_counts_and_no_levels(start: Start) -> None:
    one, other = start(), start()
    count(one)
    for cells in (one, other):
        cells.values[cells.take(LEVEL, 1, lasts=False)] = 1
    one.stop_sharing()

    assert other.everything() == {LEVEL: [1], HITS: [1]}


def test_many_that_start_at_once_have_a_file_each(start: Start, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        processes = list(pool.map(lambda _: start(), range(8)))
    for cells in processes:
        count(cells)

    assert processes[0].everything()[HITS] == [8]
    assert len(list(tmp_path.glob("*.cells"))) == 8


def test_a_series_that_is_just_being_written_is_left_out(start: Start) -> None:
    one, other = start(), start()
    count(one)
    assert one._file is not None
    one._file.write(json.dumps(["next_total", []]).encode())

    assert other.everything() == {HITS: [1]}


def test_series_of_another_version_are_no_fault(start: Start) -> None:
    stranger = start()
    stranger.take(("svc_of_tomorrow_total", ()), 1, lasts=True)

    assert "svc_of_tomorrow_total" not in as_page({}).decode()
    assert ("svc_of_tomorrow_total", ()) in start().everything()


def test_a_forked_process_counts_for_itself() -> None:
    cells = Cells()
    at = cells.take(("calls", ()), 1, lasts=True)
    cells.values[at] = 1.0

    child = os.fork()
    if child == 0:
        cells.values[at] += 1
        os._exit(int(cells.values[at]))
    _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 2
    assert cells.values[at] == 1.0
