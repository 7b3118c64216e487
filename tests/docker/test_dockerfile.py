"""The image: one for every process, small, without rights, and with everything in it that the code
needs.
"""

import http.server
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.app import app
from tests.docker.composed import ours
from tests.docker.dockerfile import ROOT, arguments, stages

BUILDER, IMAGE = stages()
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_tools_of_the_build_stay_behind() -> None:
    assert BUILDER.name == "builder"
    assert IMAGE.all("COPY") == ["--from=builder /opt/svc /opt/svc"]
    assert not any("pip" in command or "apt" in command for command in IMAGE.all("RUN"))


def test_dependencies_are_the_exact_versions_that_were_tested_and_need_no_compiler() -> None:
    fetching = [
        part
        for line in BUILDER.all("RUN")
        for part in line.split("&&")
        if re.search(r"pip .*(install|wheel)", part)
    ]
    outside = [part for part in fetching if "--no-index" not in part and "--no-deps" not in part]

    assert len(outside) == 2
    assert all(
        "--constraint constraints.txt" in part and "--only-binary :all:" in part for part in outside
    )


def test_neither_the_tools_of_development_nor_the_embedded_servers_are_in_it() -> None:
    extras = PROJECT["project"]["optional-dependencies"]

    assert not any(f"[{extra}" in line for extra in extras for line in BUILDER.all("RUN"))


def test_both_stages_stand_on_one_pinned_base_that_the_project_can_run_on() -> None:
    tag = arguments()["PYTHON"]

    assert {stage.base for stage in (BUILDER, IMAGE)} == {"python:${PYTHON}"}
    assert (match := re.fullmatch(r"(\d+)\.(\d+)-slim-\w+", tag))
    assert (int(match[1]), int(match[2])) >= (3, 11)


def test_it_runs_as_a_user_without_rights_known_by_number() -> None:
    user, group = IMAGE.only("USER").split(":")

    assert int(user) > 0
    assert int(group) > 0
    keywords = [keyword for keyword, _ in IMAGE.instructions]
    assert "RUN" not in keywords[keywords.index("USER") :]


def test_signals_reach_the_process() -> None:
    assert IMAGE.exec_form("ENTRYPOINT") == ["svc"]
    assert IMAGE.only("STOPSIGNAL") == "SIGTERM"


def test_without_a_command_it_is_the_api_for_everybody_outside_the_container() -> None:
    assert IMAGE.exec_form("CMD") == ["api", "--host", "0.0.0.0"]


@pytest.mark.parametrize(
    "words",
    [IMAGE.exec_form("CMD"), *(service["command"] for service in ours().values())],
    ids=lambda words: words[0],
)
def test_every_command_is_one_of_svc(words: list[str]) -> None:
    known = CliRunner().invoke(app, [*words, "--help"])

    assert known.exit_code == 0, known.output


def test_what_it_writes_has_a_place_outside_the_image() -> None:
    folder = IMAGE.environment["SVC_DATA_DIR"]

    assert all(f"data:{folder}" in service["volumes"] for service in ours().values())
    assert IMAGE.environment["PYTHONDONTWRITEBYTECODE"] == "1"


def test_a_worker_answers_where_the_check_looks_for_the_api() -> None:
    _, _, code = _check()

    assert f"'127.0.0.1', {IMAGE.environment['SVC_WORKER_METRICS_PORT']}," in code
    assert IMAGE.only("EXPOSE") == IMAGE.environment["SVC_WORKER_METRICS_PORT"]


@pytest.mark.parametrize(("status", "well"), [(200, True), (503, False), (None, False)])
def test_the_check_of_health_asks_healthz(status: int | None, well: bool) -> None:
    _, option, code = _check()
    with _a_server(status or 200) as (port, asked):
        place = port if status else 9  # the port «discard», where nobody is
        done = subprocess.run(
            [sys.executable, option, "-c", code.replace("8000", str(place))],
            capture_output=True,
            check=False,
        )

    assert (done.returncode == 0) is well
    assert asked == ([] if status is None else ["/healthz"])


def test_the_image_is_made_of_the_packages_and_of_nothing_else() -> None:
    lines = [
        line
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    let_in = {line.removeprefix("!") for line in lines if line.startswith("!")}
    packages = {
        name
        for name in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
        if "." not in name
    }

    assert lines[0] == "*"
    assert let_in == packages | {"pyproject.toml", "constraints.txt"}


def _check() -> tuple[str, str, str]:
    program, option, dash_c, code = IMAGE.exec_form("HEALTHCHECK")
    assert dash_c == "-c"
    return program, option, code


@contextmanager
def _a_server(status: int) -> Iterator[tuple[int, list[str]]]:
    asked: list[str] = []

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port, asked
        server.shutdown()
