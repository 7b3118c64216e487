"""Realistic data in bulk, the same every time: for demonstrations, dashboards and measurements."""

from core.seeding.parts import PARTS
from core.seeding.run import Tell
from core.seeding.seed import DAYS, Wish, seed

__all__ = ["DAYS", "PARTS", "Tell", "Wish", "seed"]
