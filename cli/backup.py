"""`svc backup` and `svc restore`: the database and the files of customers in one folder, and back."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from cli.failures import Failure
from cli.output import Record, say

Folder = Annotated[Path, typer.Argument(help="The folder of the backup.", file_okay=False)]


def backup(folder: Folder) -> Record:
    """Save the database and the files of customers in a new folder, while the service runs. Databases of
    other cells are not in it, which is said.

    The manifest names by fingerprint which SVC_HASH_KEY and SVC_ENCRYPTION_KEYS are needed to use
    it. The keys are not in it: keep them apart from it.
    """
    from cli.backups.save import save
    from cli.backups.target import server_at_hand
    from cli.progress import shown_progress

    _must_be_new(folder)
    os.umask(0o077)  # it holds personal data
    with server_at_hand(may_be_new=False):
        folder.mkdir(parents=True, exist_ok=True)
        with shown_progress() as tell:
            saved = asyncio.run(save(folder, tell))
    if saved.other_cells:
        say(
            f"not saved: the databases of the cells {', '.join(saved.other_cells)}; back up each by its "
            "own means (docs/cells.md), their files are in here"
        )
    return {"folder": str(folder), **saved.told}


def restore(
    folder: Folder,
    *,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Delete what is in the database and the store of files."),
    ] = False,
    try_it: Annotated[
        bool,
        typer.Option(
            "--try", help="Into a database that is made for it on the same server and goes again."
        ),
    ] = False,
) -> Record:
    """Bring a backup back into an empty database and an empty store of files, and prove it.

    Each table must have the rows and the checksum that were saved, and each file its checksum. Where
    there are cells, files of organizations that live in another one stay.
    """
    from cli.backups.bring_back import bring_back, try_out
    from cli.backups.target import server_at_hand
    from cli.progress import shown_progress

    if replace and try_it:
        raise typer.BadParameter("--try replaces nothing: leave one of the two out")
    if not folder.is_dir():
        raise Failure(f"there is no folder {folder}")
    with server_at_hand(may_be_new=not try_it), shown_progress() as tell:
        work = try_out(folder, tell) if try_it else bring_back(folder, tell, replace=replace)
        restored = asyncio.run(work)
    return {"folder": str(folder), "proven": True, "tried": try_it, **restored.told}


def _must_be_new(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise Failure(f"{folder} is not empty: name a new folder for each backup")
