"""What can be done with the wallet."""

from core import wallet
from core.foundation.security.caller import Caller, Scope
from graphql_api.me.schema import Wallet
from graphql_api.mutations import mutation_field, mutation_type


async def _credit(caller: Caller) -> wallet.BalanceRecord:
    await wallet.credit_sandbox(caller)
    return await wallet.get_wallet(caller)


@mutation_type
class WalletMutations:
    credit_sandbox_wallet: Wallet | None = mutation_field(
        _credit, scope=Scope.WALLET_READ, description="Play money, in the test environment only."
    )
