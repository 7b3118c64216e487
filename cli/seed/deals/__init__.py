"""Pipelines and the deals on them: how they moved, how they ended, what was done about them."""

from cli.seed.deals.pipelines import PIPELINES, write_pipelines
from cli.seed.deals.write import write_deals

__all__ = ["PIPELINES", "write_deals", "write_pipelines"]
