"""Companies: what they are, and who of the contacts works there."""

from core.seeding.companies.write import write_companies

__all__ = ["write_companies"]
