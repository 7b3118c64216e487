import { graphql } from "../../gateway/graphql";

/** A page of the statement; with the first one everything else of the screen. */
export const WALLET = graphql(`
  query WalletPage($filter: WalletTransferFilter, $after: String, $entry: Boolean!) {
    me @include(if: $entry) { wallet { disponivelCoins reservadoCoins devidoCoins limiteAvisoCoins } }
    walletProof @include(if: $entry) {
      dia confere warnings
      contas { conta saldoCoins somaCoins inicioDoDiaCoins entradasCoins saidasCoins fimDoDiaCoins }
    }
    prices @include(if: $entry) {
      own coinBrl smsReply email conversationTemplate
      smsByRoute { route bands { fromSegment coins } }
      rcsByRoute { route coins }
      pushByRateKind { rateKind coins }
    }
    quotes(first: 20, filter: { valida: true }) @include(if: $entry) {
      nodes { id coins restante validoAte reservado reservadoCoins itens { canal rota quantidade coins } }
    }
    walletTransfers(first: 100, after: $after, filter: $filter) {
      pageInfo { hasNextPage endCursor }
      nodes { id tipo origem de para coins createdAt }
    }
  }
`);

export const CHANGE_WARNING = graphql(`
  mutation ChangeWarning($input: UpdateWalletInput!) {
    updateWallet(input: $input) { limiteAvisoCoins }
  }
`);

export const CREDIT = graphql(`
  mutation CreditSandbox {
    creditSandboxWallet { disponivelCoins }
  }
`);

export const QUOTE = graphql(`
  mutation AskQuote($input: CreateQuoteInput!) {
    createQuote(input: $input) { id coins validoAte }
  }
`);

export const CANCEL_QUOTE = graphql(`
  mutation CancelQuote($id: ID!) {
    cancelQuote(id: $id) { id canceladaEm }
  }
`);
