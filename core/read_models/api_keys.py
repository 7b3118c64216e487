"""API keys, read field by field. An organization administers those of both environments at once;
their texts and hashes are not among the fields.
"""

from collections.abc import Sequence

from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.organizations.keys.listing import narrow_keys
from core.organizations.keys.record import KEY
from core.read_models.query_compiler import Arguments, Entity, column, fields_of

# `env` is where the caller works, `opens` where the key does.
TABLE = """
(SELECT id, organization_id, $2::text AS env, env AS opens, name, prefix, scopes, ips, revoked_at, expires_at,
        created_by_id, created_at, last_used_at, replaced_by_id
 FROM api_keys)
"""


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_keys(where, env=filter.get("env"), status=filter.get("status"), of="opens")
    return ()


API_KEY = Entity(
    name="ApiKey",
    table=TABLE,
    alias="k",
    scope=Scope.KEYS_MANAGE,
    prefix="key",
    fields={**fields_of(KEY), "env": column("opens")},
    narrow=_narrow,
)
