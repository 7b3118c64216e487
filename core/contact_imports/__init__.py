"""Bringing many contacts in at once, line by line, good ones even when others fail."""

from core.contact_imports.import_contacts import import_contacts
from core.contact_imports.inputs import ContactImport

__all__ = ["ContactImport", "import_contacts"]
