"""Bringing many contacts in at once, line by line, good ones even when others fail."""

from core.contact_imports.import_contacts import import_contacts
from core.contact_imports.inputs import ContactImport, ImportKey, WhenItExists
from core.contact_imports.record import ImportDone

__all__ = ["ContactImport", "ImportDone", "ImportKey", "WhenItExists", "import_contacts"]
