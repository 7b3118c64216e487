"""Use cases about a person that span domains: erasing a contact and exporting its data."""

from core.privacy.erase_contact import erase_contact
from core.privacy.export_contact import export_contact
from core.privacy.record import PersonalData

__all__ = ["PersonalData", "erase_contact", "export_contact"]
