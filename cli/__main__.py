"""`python -m cli` is `svc`."""

from cli.app import main

main()
