"""What may be said about an organization."""

from typing import Annotated

from core.foundation.validation.inputs import Input
from core.foundation.validation.names import NameText


class NewOrganization(Input):
    """A customer of the service; several may have one name."""

    name: Annotated[str, NameText(120)]
