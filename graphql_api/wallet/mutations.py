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
    update_wallet: Wallet | None = mutation_field(
        wallet.change_wallet,
        wallet.WalletChanges,
        scope=Scope.ACCOUNTS_MANAGE,
        description=("Set the balance under which the organization is warned. In a session only."),
    )
    credit_sandbox_wallet: Wallet | None = mutation_field(
        _credit,
        scope=Scope.WALLET_READ,
        description="Add play money to the wallet of the test environment.",
    )
