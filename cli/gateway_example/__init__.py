"""A gateway that runs: a small server of its own that speaks docs/gateway.md, and imports none of
the service.
"""
