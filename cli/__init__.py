"""The command `svc`: the entry point for people who run the service."""
