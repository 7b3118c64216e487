"""Credentials from the usual places of the AWS tools: environment, profile, role."""

from typing import Any

from aiobotocore.session import get_session  # type: ignore[import-untyped]
from botocore.exceptions import BotoCoreError  # type: ignore[import-untyped]

from core.providers.amazon.signer import Keys


class NoCredentials(Exception):
    """None are found, or those of a role could not be renewed."""


class AwsCredentials:
    """The credentials of this process; looked for at their first use, renewed by aiobotocore."""

    def __init__(self) -> None:
        self._found: Any = None

    async def keys(self) -> Keys:
        """As they are now. Raises NoCredentials."""
        try:
            if self._found is None:
                self._found = await get_session().get_credentials()
            if self._found is None:
                raise NoCredentials("NoCredentialsError")
            frozen = await self._found.get_frozen_credentials()
        except (BotoCoreError, OSError) as error:
            raise NoCredentials(type(error).__name__) from None
        return Keys(frozen.access_key, frozen.secret_key, frozen.token)
