"""What a new customer gets in one go: an organization, its owner and its wallets."""

from core.onboarding.open_organization import open_organization

__all__ = ["open_organization"]
