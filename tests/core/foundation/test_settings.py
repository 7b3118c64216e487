"""The settings: what is read, what is refused, and how it is said."""

import base64
import shlex
import subprocess
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.foundation.settings import MAKE_KEY, Settings, SettingsError, load

ROOT = Path(__file__).resolve().parents[3]
KEY = base64.b64encode(b"k" * 32).decode()
OLD_KEY = base64.b64encode(b"o" * 32).decode()
NEEDED = {
    "DATABASE_URL": "postgresql://u:p@db/svc",
    "REDIS_URL": "redis://redis/0",
    "SVC_HASH_KEY": "a key that is long enough",
    "SVC_ENCRYPTION_KEYS": KEY,
}
VARIABLES = [str(field.validation_alias) for field in Settings.model_fields.values()]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what a deployment must set."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in NEEDED.items():
        monkeypatch.setenv(name, value)


def refusal() -> str:
    with pytest.raises(SettingsError) as refused:
        load()
    return str(refused.value)


def test_four_variables_are_enough() -> None:
    settings = load()

    assert settings.database_url == NEEDED["DATABASE_URL"]
    assert (settings.billing, settings.charges) == ("on", True)
    assert (settings.sandbox_delay_seconds, settings.database_pool, settings.log_level) == (
        3.0,
        10,
        "info",
    )
    assert (settings.webhook_allow_networks, settings.webhook_allow_http) == ((), "off")


@pytest.mark.parametrize("missing", NEEDED)
def test_a_missing_variable_is_named(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(missing)

    line, _, made = refusal().partition(". A key is made by: ")

    assert line == f"Wrong settings: {missing}: Field required"
    assert made == (MAKE_KEY if missing in ("SVC_HASH_KEY", "SVC_ENCRYPTION_KEYS") else "")


def test_the_command_that_is_shown_makes_either_key(monkeypatch: pytest.MonkeyPatch) -> None:
    made = subprocess.run(
        shlex.split(MAKE_KEY), capture_output=True, text=True, check=True
    ).stdout.strip()
    monkeypatch.setenv("SVC_HASH_KEY", made)
    monkeypatch.setenv("SVC_ENCRYPTION_KEYS", made)

    assert load().encryption_keys == (made,)


@pytest.mark.parametrize("file", ["README.md", "docs/operations.md", "docker/.env.example"])
def test_it_stands_where_the_keys_are_asked_for(file: str) -> None:
    assert MAKE_KEY in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SVC_HASH_KEY", "tooshort-s3cr3t"),
        ("SVC_ENCRYPTION_KEYS", ""),
        ("SVC_ENCRYPTION_KEYS", " , "),
        ("SVC_ENCRYPTION_KEYS", "not-base64-s3cr3t!"),
        ("SVC_ENCRYPTION_KEYS", base64.b64encode(b"s3cr3t").decode()),
        ("SVC_ENCRYPTION_KEYS", f"{KEY},{KEY}"),
        ("SVC_BILLING", "s3cr3t"),
        ("SVC_BILLING", ""),
        ("SVC_BILLING", "true"),
        ("SVC_WEBHOOK_ALLOW_HTTP", "s3cr3t"),
        ("SVC_WEBHOOK_ALLOW_NETWORKS", "s3cr3t"),
        ("SVC_WEBHOOK_ALLOW_NETWORKS", "10.0.0.1/8"),
        ("SVC_WEBHOOK_ALLOW_NETWORKS", "10.0.0.0/8,s3cr3t,fe80::1/10"),
        ("SVC_SANDBOX_DELAY_SECONDS", "-1"),
        ("SVC_SANDBOX_DELAY_SECONDS", "3601"),
        ("SVC_SANDBOX_DELAY_SECONDS", "s3cr3t"),
        ("SVC_SANDBOX_DELAY_SECONDS", "nan"),
        ("SVC_BASE_URL", "s3cr3t"),
        ("SVC_BASE_URL", "ftp://s3cr3t"),
        ("SVC_BASE_URL", "https://u:s3cr3t@api.example.com"),
        ("SVC_BASE_URL", "https://api.example.com/?a=s3cr3t"),
        ("SVC_SLOW_REQUEST_SECONDS", "inf"),
        ("SVC_SLOW_REQUEST_SECONDS", "3601"),
        ("SVC_ARCHIVE_AFTER_DAYS", "99999999999999999999"),
        ("SVC_DATABASE_POOL", "1"),
        ("SVC_DATABASE_POOL", "201"),
        ("SVC_DATABASE_POOL", "s3cr3t"),
        ("SVC_LOG_LEVEL", "s3cr3t"),
        ("SVC_MEDIA_STORE", "s3cr3t"),
        ("SVC_MEDIA_STORE", "s3://s3cr3t/below"),
        ("SVC_MEDIA_STORE", "s3://S3cr3t"),
    ],
)
def test_a_wrong_variable_is_named_once_and_its_value_never(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    line = refusal()

    assert line.startswith(f"Wrong settings: {name}: ")
    assert line.count(name) == 1
    assert "\n" not in line
    assert all(part not in line for part in value.split(",") if len(part) > 4)


def test_every_wrong_variable_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {
        "REDIS_URL": None,
        "SVC_DATABASE_POOL": "many",
        "SVC_HASH_KEY": "short",
        "SVC_BILLING": "maybe",
    }
    for name, value in wrong.items():
        if value is None:
            monkeypatch.delenv(name)
        else:
            monkeypatch.setenv(name, value)

    line = refusal()
    told = line.removeprefix("Wrong settings: ").partition(". A key")[0]

    assert "\n" not in line
    assert [part.partition(":")[0] for part in told.split("; ")] == list(wrong)


def test_lists_are_comma_separated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_ENCRYPTION_KEYS", f" {KEY} , {OLD_KEY},")
    monkeypatch.setenv("SVC_WEBHOOK_ALLOW_NETWORKS", "127.0.0.0/8, fd00::/8")

    settings = load()

    assert settings.encryption_keys == (KEY, OLD_KEY)
    assert [str(network) for network in settings.webhook_allow_networks] == [
        "127.0.0.0/8",
        "fd00::/8",
    ]


@pytest.mark.parametrize(
    ("value", "bucket"),
    [("", None), ("folder", None), ("s3://our-files.example", "our-files.example")],
)
def test_files_are_in_the_folder_unless_a_bucket_is_named(
    value: str, bucket: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SVC_MEDIA_STORE", value)

    assert load().s3_bucket == bucket


def test_origins_are_those_that_browsers_write(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load().cors_origins == ()

    monkeypatch.setenv(
        "SVC_CORS_ORIGINS", "https://app.example.com, http://localhost:5173,http://[::1]:8080"
    )

    assert load().cors_origins == (
        "https://app.example.com",
        "http://localhost:5173",
        "http://[::1]:8080",
    )


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "null",
        "app.example.com",
        "https://*.example.com",
        "https://app.example.com/",
        "https://app.example.com/page",
        "https://app.example.com:443",
        "http://app.example.com:80",
        "https://App.example.com",
        "https://user@app.example.com",
        "https://aplicação.example.com",
        "ftp://app.example.com",
        "https://",
        "https://app.example.com:0",
    ],
)
def test_what_no_browser_writes_is_no_origin(origin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_CORS_ORIGINS", f"https://good.example.com,{origin}")

    told = refusal()
    assert told.startswith("Wrong settings: SVC_CORS_ORIGINS: write each origin as browsers do: ")
    assert "good.example" not in told


def test_the_public_address_has_no_final_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_BASE_URL", "https://api.example.com/")

    assert load().base_url == "https://api.example.com"


def test_billing_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_BILLING", "off")

    assert not load().charges


@pytest.mark.parametrize(
    "name", [name for name in Settings.model_fields if name.upper() not in VARIABLES]
)
def test_a_variable_of_the_machine_with_a_fields_name_is_not_ours(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = load()
    monkeypatch.setenv(name.upper(), "something else's")
    monkeypatch.setenv(name, "something else's")

    assert load() == before


def test_settings_cannot_be_changed() -> None:
    settings = load()

    with pytest.raises(ValidationError):
        settings.billing = "off"  # type: ignore[misc]
    assert settings.billing == "on"


def test_every_setting_has_a_meaning_and_every_secret_a_mark() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        extra = field.json_schema_extra
        named_so = name.endswith(("_key", "_keys", "_secret", "_secrets", "_password", "_token"))
        if "Path" in str(field.annotation):  # where it lies is no secret
            named_so = False
        assert named_so == (isinstance(extra, dict) and extra.get("secret") is True), name


def test_a_printed_object_shows_no_secret() -> None:
    printed = repr(load())

    assert all(value not in printed for value in NEEDED.values())
