import { graphql } from "../../gateway/graphql";

/** By activity, the latest first. */
export const CONVERSATIONS = graphql(`
  query Conversations($filter: ConversationFilter, $after: String) {
    conversations(first: 50, after: $after, filter: $filter) {
      pageInfo { hasNextPage endCursor }
      nodes {
        channel contactId numberId instagramAccountId lastInboundAt windowEndsAt unread
        contact { id name phone }
        lastMessage { id channel direction status failure lastError type payload templateId templateVars contactId numberId instagramAccountId to createdAt updatedAt sentByName mediaStorage { mimeType size } mediaUrl template { id name components { type payload } } }
      }
    }
  }
`);

export const THREAD = graphql(`
  query ConversationThread($contactId: ID!, $senderId: ID!, $after: String) {
    conversations(first: 1, filter: { contactId: $contactId, numberId: $senderId }) {
      nodes {
        channel contactId numberId instagramAccountId lastInboundAt windowEndsAt
        contact { id name phone tags }
        number { id displayPhone }
        messages(first: 40, after: $after) {
          pageInfo { hasNextPage endCursor }
          nodes { id channel direction status failure lastError type payload templateId templateVars contactId numberId instagramAccountId to createdAt updatedAt sentByName mediaStorage { mimeType size } mediaUrl template { id name components { type payload } } }
        }
      }
    }
  }
`);

/** What may be said when the window is closed. */
export const TEMPLATES = graphql(`
  query ConversationTemplates($numberId: ID!) {
    templates(first: 100, filter: { status: APPROVED, numberId: $numberId }) {
      nodes { id name language category variaveis { componente indice exemplo botao } components { type payload } }
    }
  }
`);

export const SEND = graphql(`
  mutation SendConversationMessage($input: SendMessageInput!, $idempotencyKey: String!) {
    sendMessage(input: $input, idempotencyKey: $idempotencyKey) { id channel direction status failure lastError type payload templateId templateVars contactId numberId instagramAccountId to createdAt updatedAt sentByName mediaStorage { mimeType size } mediaUrl template { id name components { type payload } } }
  }
`);

/** Both directions; a message is told again whenever its state is another. */
export const TOLD = graphql(`
  subscription ConversationMessages {
    messageChanged(filter: { channel: [WHATSAPP, INSTAGRAM] }) {
      __typename id
      ... on ConversationMessage { id channel direction status failure lastError type payload templateId templateVars contactId numberId instagramAccountId to createdAt updatedAt sentByName mediaStorage { mimeType size } mediaUrl template { id name components { type payload } } }
    }
  }
`);

/** Where the bytes of one file may be sent to. */
export const TICKET = graphql(`
  mutation AskMediaTicket($numberId: ID!, $input: CreateMediaTicketInput!) {
    createMediaTicket(numberId: $numberId, input: $input) { url expiresAt maxBytes }
  }
`);
