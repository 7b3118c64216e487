import { graphql } from "../../gateway/graphql";

/** The board that is asked for, or the first one. */
export const BOARD = graphql(`
  query DealBoard($id: ID!, $chosen: Boolean!) {
    pipelines(first: 50) { nodes { id nome } }
    pipeline(id: $id) @include(if: $chosen) { id nome moeda arquivado motivos { id texto ativo exigeObservacao } etapas { id nome resultado cor camposObrigatorios quantidade valorTotal cards(first: 50) { pageInfo { hasNextPage endCursor } nodes { id titulo status etapaId ordem versao valor moeda dataPrevista diasNaEtapa atrasado updatedAt contato { id name } company { id nome } responsavel { id name } } } } }
    initial: pipelines(first: 1) @skip(if: $chosen) { nodes { id nome moeda arquivado motivos { id texto ativo exigeObservacao } etapas { id nome resultado cor camposObrigatorios quantidade valorTotal cards(first: 50) { pageInfo { hasNextPage endCursor } nodes { id titulo status etapaId ordem versao valor moeda dataPrevista diasNaEtapa atrasado updatedAt contato { id name } company { id nome } responsavel { id name } } } } } }
  }
`);

/** With the stages that the service gives to who names none. */
export const FIRST_PIPELINE = graphql(`
  mutation FirstPipeline($input: CreatePipelineInput!) {
    createPipeline(input: $input) { id nome }
  }
`);

export const STAGE_CARDS = graphql(`
  query DealsOfStage($filter: CardFilter!, $after: String) {
    cards(first: 50, after: $after, filter: $filter, orderBy: ORDEM_ASC) {
      pageInfo { hasNextPage endCursor }
      nodes { id titulo status etapaId ordem versao valor moeda dataPrevista diasNaEtapa atrasado updatedAt contato { id name } company { id nome } responsavel { id name } }
    }
  }
`);

export const DEALS = graphql(`
  query Deals($filter: CardFilter!, $after: String) {
    cards(first: 100, after: $after, filter: $filter, orderBy: UPDATED_AT_DESC) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { id titulo status etapaId ordem versao valor moeda dataPrevista diasNaEtapa atrasado updatedAt contato { id name } company { id nome } responsavel { id name } etapa { id nome } }
    }
  }
`);

export const DEAL_NOW = graphql(`
  query DealNow($id: ID!) {
    card(id: $id) { id titulo status etapaId ordem versao valor moeda dataPrevista diasNaEtapa atrasado updatedAt contato { id name } company { id nome } responsavel { id name } etapa { id nome } }
  }
`);

/** With `versao` it is refused when somebody else changed the card since. */
export const MOVE = graphql(`
  mutation MoveDeal($id: ID!, $input: MoveCardInput!) {
    moveCard(id: $id, input: $input) { id titulo status etapaId ordem versao valor moeda dataPrevista diasNaEtapa atrasado updatedAt contato { id name } company { id nome } responsavel { id name } pipeline { id etapas { id quantidade valorTotal } } }
  }
`);

export const CREATE = graphql(`
  mutation CreateDeal($input: CreateCardInput!) {
    createCard(input: $input) { id titulo status etapaId ordem versao valor moeda dataPrevista diasNaEtapa atrasado updatedAt contato { id name } company { id nome } responsavel { id name } pipeline { id etapas { id quantidade valorTotal } } }
  }
`);

/** What a required field can be filled with. */
export const CHOICES = graphql(`
  query DealChoices($contact: ContactFilter, $contacts: Boolean!, $accounts: Boolean!) {
    contacts(first: 20, filter: $contact) @include(if: $contacts) { nodes { id name phone } }
    accounts(first: 100, filter: { status: ACTIVE }) @include(if: $accounts) { nodes { id name } }
  }
`);

export const MOVED = graphql(`
  subscription DealMoves($pipelineId: ID!) {
    cardMoved(pipelineId: $pipelineId) { id cardId card { id titulo status etapaId ordem versao valor moeda dataPrevista diasNaEtapa atrasado updatedAt contato { id name } company { id nome } responsavel { id name } pipelineId } }
  }
`);
