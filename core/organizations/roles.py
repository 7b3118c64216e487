"""What the session of each role may do."""

from core.foundation.security.caller import Scope
from core.organizations.models import Role

READS = frozenset(scope for scope in Scope if scope.value.endswith(":read"))

SCOPES_OF: dict[Role, frozenset[Scope]] = {
    Role.OWNER: frozenset(Scope),
    Role.ADMIN: frozenset(Scope),
    Role.OPERATOR: READS
    | {Scope.MESSAGES_SEND, Scope.CONTACTS_WRITE, Scope.CRM_READ, Scope.CRM_WRITE},
}
