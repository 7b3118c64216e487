"""The command `svc`: the door for people who run the service."""
