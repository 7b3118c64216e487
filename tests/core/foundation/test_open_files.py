"""A process takes as many open files as it may, and says how many that are."""

import resource
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from core.foundation import open_files
from core.foundation.open_files import most_open_files, raise_open_files

SOFT, HARD = resource.getrlimit(resource.RLIMIT_NOFILE)
FILES = resource.RLIMIT_NOFILE


@pytest.fixture(autouse=True)
def limit_put_back() -> Iterator[None]:
    yield
    resource.setrlimit(FILES, (SOFT, HARD))


def test_the_limit_is_raised_to_what_the_system_allows() -> None:
    resource.setrlimit(FILES, (1024, HARD))

    with capture_logs() as lines:
        raise_open_files()

    allowed = (
        open_files.MAX_OPEN_FILES
        if HARD == resource.RLIM_INFINITY
        else min(HARD, open_files.MAX_OPEN_FILES)
    )
    assert resource.getrlimit(FILES) == (allowed, HARD)
    assert [(line["event"], line["limit"]) for line in lines] == [("open_files", allowed)]


@pytest.mark.parametrize(
    ("limits", "raised"),
    [
        ((1024, 2048), 2048),
        ((1024, resource.RLIM_INFINITY), open_files.MAX_OPEN_FILES),
        ((1024, 1_000_000_000), open_files.MAX_OPEN_FILES),
        ((2048, 2048), None),
        ((1_000_000, 1_000_000), None),  # never lowered
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), None),
    ],
)
def test_it_is_raised_and_never_lowered(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], raised: int | None
) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))

    raise_open_files()

    assert asked == ([] if raised is None else [(raised, limits[1])])


@pytest.mark.parametrize("refusal", [ValueError, OSError])
def test_a_system_that_refuses_leaves_the_limit_and_is_told(
    monkeypatch: pytest.MonkeyPatch, refusal: type[Exception]
) -> None:
    def refuse(*_: object) -> None:
        raise refusal

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)

    with capture_logs() as lines:
        raise_open_files()

    assert [
        (line["log_level"], line["limit"]) for line in lines if line["event"] == "open_files"
    ] == [("warning", 256)]
    assert most_open_files() == open_files.MAX_OPEN_FILES
