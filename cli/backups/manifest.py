"""The manifest of a backup: what it holds, and which keys what it holds needs. Never a key."""

import hashlib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from cli.failures import Failure
from cli.private_file import read_private, write_private
from core.foundation.security.secrets import KeyRing, key_id
from core.foundation.settings import Settings

FORMAT = 1
MANIFEST, DUMP, FILES, CHECKSUMS = "manifest.json", "database.dump", "files", "files.sha256"


class BackupPart(BaseModel):
    """What a piece of the backup must be when it is read again."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class NeededKeys(BackupPart):
    """Fingerprints of the keys without which the backup is of no use."""

    hash_key: str = Field(alias="SVC_HASH_KEY")
    encryption_keys: list[str] = Field(alias="SVC_ENCRYPTION_KEYS")


class Table(BackupPart):
    """What a table holds."""

    rows: int
    checksum: str


class Database(BackupPart):
    """The archive, who wrote it, and what is in it. `place`: the schema that its tables are in."""

    server: int
    pg_dump: int
    bytes: int
    sha256: str
    tables: dict[str, Table]
    place: str = Field(default="public", alias="schema")


class Files(BackupPart):
    """The files, and the checksum of the list of their checksums."""

    count: int
    bytes: int
    sha256: str


class Manifest(BackupPart):
    """All of it."""

    format: int = FORMAT
    created_at: str
    version: str
    keys: NeededKeys
    database: Database
    files: Files
    other_cells: list[str] = []
    """Cells whose databases are not in it."""

    @property
    def told(self) -> dict[str, object]:
        """What a command answers about the backup."""
        return {
            "createdAt": self.created_at,
            "tables": len(self.database.tables),
            "rows": sum(table.rows for table in self.database.tables.values()),
            "databaseBytes": self.database.bytes,
            "files": self.files.count,
            "fileBytes": self.files.bytes,
            **({"cellsNotSaved": self.other_cells} if self.other_cells else {}),
            "keys": self.keys.model_dump(by_alias=True),
        }


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it: the backup is whole from now on."""
    write_private(folder / MANIFEST, manifest.model_dump(by_alias=True))


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup. Raises Failure where there is none, or one that this version does
    not know.
    """
    record = read_private(folder / MANIFEST)
    if record is None:
        raise Failure(f"{folder} is no whole backup: it has no {MANIFEST}")
    if record.get("format") != FORMAT:
        raise Failure(f"{folder} was made by another version of svc: its format is not {FORMAT}")
    try:
        return Manifest.model_validate(record)
    except ValidationError:
        raise Failure(f"{folder / MANIFEST} was changed: it cannot be read") from None


def must_be_unchanged(folder: Path, manifest: Manifest) -> None:
    """Raises Failure where the archive, or the list of the files, is not what was written."""
    for name, sha256 in ((DUMP, manifest.database.sha256), (CHECKSUMS, manifest.files.sha256)):
        if sha256_of(folder / name) != sha256:
            raise Failure(f"{folder / name} was changed or cut short: use another backup")


def fingerprint(settings: Settings) -> str:
    """Names SVC_HASH_KEY and reveals nothing of it."""
    return key_id(settings.hash_key.encode())


def must_have_keys(needed: NeededKeys, settings: Settings) -> None:
    """Raises Failure unless the settings have every key that the backup needs."""
    wrong: list[str] = []
    if fingerprint(settings) != needed.hash_key:
        wrong.append(f"SVC_HASH_KEY is not the one of fingerprint {needed.hash_key}")
    ring = KeyRing.from_base64(settings.encryption_keys)
    if missing := [name for name in needed.encryption_keys if not ring.knows(name)]:
        wrong.append(f"SVC_ENCRYPTION_KEYS has none of fingerprint {', '.join(missing)}")
    if wrong:
        raise Failure(f"this backup needs the keys that it was made with: {'; '.join(wrong)}")


def sha256_of(path: Path) -> str:
    """Of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
