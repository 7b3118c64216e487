"""Companies: what they are, and who of the contacts works there."""

from cli.seed.companies.write import write_companies

__all__ = ["write_companies"]
