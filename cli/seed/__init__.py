"""Realistic data in bulk, the same every time: for demonstrations, dashboards and measurements.

`command.py` is `svc seed`, `organization.py` what it does. What the service does is in `core`, which
imports nothing of this package.
"""
