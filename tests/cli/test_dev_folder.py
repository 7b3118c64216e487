"""The data folder of `svc dev`: secrets once, and what other commands learn of a running one."""

import base64
import os
from pathlib import Path

import pytest

from cli.dev_folder import join_running_dev, lend_secrets, lock_of, publish_environment
from cli.failures import Failure


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("SVC_") or name in ("DATABASE_URL", "REDIS_URL"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SVC_DATA_DIR", str(tmp_path))


def test_secrets_are_made_once_and_are_private(tmp_path: Path) -> None:
    first: dict[str, str] = {}
    second: dict[str, str] = {}
    lend_secrets(tmp_path, first)
    lend_secrets(tmp_path, second)
    assert first == second
    assert len(base64.b64decode(first["SVC_ENCRYPTION_KEYS"])) == 32
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_given_secrets_are_kept(tmp_path: Path) -> None:
    given = {"SVC_HASH_KEY": "given"}
    lend_secrets(tmp_path, given)
    assert given["SVC_HASH_KEY"] == "given"


def test_secrets_that_cannot_be_read_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "secrets.json").write_text("{")
    with pytest.raises(Failure, match="cannot be read"):
        lend_secrets(tmp_path, {})


def test_other_commands_join_a_running_dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _publish(tmp_path, monkeypatch)
    with lock_of(tmp_path):
        join_running_dev()
    assert os.environ["DATABASE_URL"] == "postgresql:///dev"
    assert os.environ["SVC_HASH_KEY"] == "theirs"


def test_nobody_joins_a_dev_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _publish(tmp_path, monkeypatch)
    join_running_dev()
    assert "DATABASE_URL" not in os.environ


def test_who_names_another_database_gets_nothing_of_the_running_dev(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _publish(tmp_path, monkeypatch)
    monkeypatch.setenv("DATABASE_URL", "postgresql:///mine")
    with lock_of(tmp_path):
        join_running_dev()
    assert "SVC_HASH_KEY" not in os.environ


def _publish(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql:///dev")
    monkeypatch.setenv("SVC_HASH_KEY", "theirs")
    publish_environment(folder)
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.delenv("SVC_HASH_KEY")
