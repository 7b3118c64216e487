import { graphql } from "../../gateway/graphql";

export const KEYS = graphql(`
  query DeveloperKeys($filter: ApiKeyFilter) {
    apiKeys(first: 100, filter: $filter) {
      totalCount
      nodes { id nome prefixo env scopes ips status expiraEm createdAt lastUsedAt revokedAt replacedById createdBy { id name } }
    }
  }
`);

export const CREATE_KEY = graphql(`
  mutation CreateKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { id key }
  }
`);

export const ROTATE_KEY = graphql(`
  mutation RotateKey($id: ID!, $input: RotateApiKeyInput) {
    rotateApiKey(id: $id, input: $input) { id key }
  }
`);

export const REVOKE_KEY = graphql(`
  mutation RevokeKey($id: ID!, $input: RevokeApiKeyInput) {
    revokeApiKey(id: $id, input: $input) { id status revokedAt webhooks { id url status } }
  }
`);

export const WEBHOOKS = graphql(`
  query DeveloperWebhooks {
    webhooks(first: 100) {
      totalCount
      nodes { id url description status events consecutiveFailures lastSuccessAt lastFailureAt revokesAt }
    }
  }
`);

export const CREATE_WEBHOOK = graphql(`
  mutation CreateHook($input: CreateWebhookInput!) {
    createWebhook(input: $input) { webhook { id } reveal { secret } }
  }
`);

export const TRY_ADDRESS = graphql(`
  mutation TryAddress($input: ValidateWebhookEndpointInput!) {
    validateWebhookEndpoint(input: $input) { ok statusCode latencyMs reason message }
  }
`);

/** A webhook with a page of its deliveries. */
export const WEBHOOK = graphql(`
  query WebhookPage($id: ID!, $filter: WebhookDeliveryFilter, $after: String) {
    webhook(id: $id) {
      id url description status events secretVersion apiVersion consecutiveFailures
      lastSuccessAt lastFailureAt nextProbeAt revokesAt revokedReason createdAt createdBy { id name }
      deliveries(first: 50, after: $after, filter: $filter) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { id type status attempts replay createdAt lastStatusCode lastLatencyMs }
      }
    }
  }
`);

export const CHANGE_WEBHOOK = graphql(`
  mutation ChangeHook($id: ID!, $input: UpdateWebhookInput!) {
    updateWebhook(id: $id, input: $input) { id status description events }
  }
`);

export const DELETE_WEBHOOK = graphql(`
  mutation DeleteHook($id: ID!) {
    deleteWebhook(id: $id) { id }
  }
`);

export const ROTATE_SECRET = graphql(`
  mutation RotateHookSecret($id: ID!, $input: RotateWebhookSecretInput) {
    rotateWebhookSecret(id: $id, input: $input) { secret secretVersion }
  }
`);

export const SAMPLE = graphql(`
  mutation SendHookSample($id: ID!, $input: SendWebhookSampleInput!) {
    sendWebhookSample(id: $id, input: $input) { ok statusCode latencyMs reason message deliveryId }
  }
`);

export const REPLAY = graphql(`
  mutation ReplayDeliveries($id: ID!, $input: ReplayWebhookDeliveriesInput!) {
    replayWebhookDeliveries(id: $id, input: $input) { requested }
  }
`);

export const DELIVERY = graphql(`
  query DeliveryPage($id: ID!) {
    webhookDelivery(id: $id) {
      id webhookId eventId type status attempts replay createdAt nextAttemptAt finishedAt lastError
      webhook { id url }
      request { url headers body }
      attemptLog { at probe latencyMs statusCode error responseBody }
    }
  }
`);

export const DECISION = graphql(`
  query OneDecision($id: ID!) {
    decision(id: $id) {
      id veredito em canal frase regra oQueFazer codigo messageId contactId requestId
      regras { regra resultado porque }
      linha { em evento }
    }
  }
`);

export const DECISIONS = graphql(`
  query FoundDecisions($input: DecisionsInput) {
    decisions(input: $input) {
      nextCursor
      items {
        id veredito em canal frase regra oQueFazer codigo messageId contactId requestId
        regras { regra resultado porque }
        linha { em evento }
      }
    }
  }
`);

export const SIGNATURE = graphql(`
  query CheckSignature($input: WebhookSignatureInput!) {
    webhookSignature(input: $input) { ok failingStep message subscriptionId secretVersion signedAt bodyBytes subscription { id url } }
  }
`);

export const SMPP = graphql(`
  query DeveloperSmpp {
    smppAccounts(first: 100) {
      nodes {
        id systemId env route ips maxBinds window throttle charset createdAt revokedAt
        binds { id mode peer submits deliveries openedAt heardAt }
        outbox { waiting oldestAt }
      }
    }
    smppOutbox(first: 50) { nodes { id accountId kind status messageId attempts createdAt dueAt } }
  }
`);

export const BIND_TOLD = graphql(`
  subscription DeveloperBinds {
    smppBindChanged { id isOpen }
  }
`);

export const CREATE_SMPP = graphql(`
  mutation CreateSmpp($input: CreateSmppAccountInput!) {
    createSmppAccount(input: $input) { systemId password }
  }
`);

export const CHANGE_SMPP = graphql(`
  mutation ChangeSmpp($id: ID!, $input: UpdateSmppAccountInput!) {
    updateSmppAccount(id: $id, input: $input) { id route ips maxBinds window throttle charset }
  }
`);

export const ROTATE_SMPP = graphql(`
  mutation RotateSmpp($id: ID!, $input: RotateSmppAccountInput) {
    rotateSmppAccount(id: $id, input: $input) { systemId password }
  }
`);

export const REVOKE_SMPP = graphql(`
  mutation RevokeSmpp($id: ID!) {
    revokeSmppAccount(id: $id) { id }
  }
`);

export const END_BIND = graphql(`
  mutation EndBind($id: ID!) {
    endSmppBind(id: $id) { id }
  }
`);

export const REPLAY_SMPP = graphql(`
  mutation ReplaySmpp($input: ReplaySmppOutboxInput!) {
    replaySmppOutbox(input: $input) { due }
  }
`);

export const CLOCK = graphql(`
  query DeveloperClock {
    sandboxClock { agora congelado status aplicados de para proximo limite }
  }
`);

export const CLOCK_TOLD = graphql(`
  subscription DeveloperClockTold {
    sandboxClockChanged { agora congelado status aplicados de para proximo limite }
  }
`);

export const ADVANCE_CLOCK = graphql(`
  mutation AdvanceClock($input: AdvanceSandboxClockInput!) {
    advanceSandboxClock(input: $input) { agora congelado status aplicados de para proximo limite }
  }
`);

export const SET_CLOCK = graphql(`
  mutation SetClock($input: SetSandboxClockInput!) {
    setSandboxClock(input: $input) { agora congelado status aplicados de para proximo limite }
  }
`);
