"""What `svc backup` writes and `svc restore` reads: a folder with the database, the files and a
manifest.

| name | what |
|---|---|
| `manifest.json` | what the folder holds, and which keys it needs; written last: without it the folder is not whole |
| `database.dump` | an archive of pg_dump, which pg_restore reads |
| `files/` | the files of customers, by their keys |
| `files.sha256` | their checksums, as `sha256sum --check` reads them |
"""
