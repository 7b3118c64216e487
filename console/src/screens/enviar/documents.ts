import { graphql } from "../../gateway/graphql";

/** Whom a message can be for. */
export const PEOPLE = graphql(`
  query SendPeople($filter: ContactFilter) {
    contacts(first: 20, filter: $filter) { warnings nodes { id name phone email } }
  }
`);

/** One person, and what of ours a message can leave from. */
export const RECIPIENT = graphql(`
  query SendRecipient($id: ID!) {
    contact(id: $id) { id name phone email optOuts { canal em } }
    emailSenders(first: 50, filter: { status: VERIFIED }) { nodes { id address } }
    numbers(first: 50) { nodes { id displayPhone status } }
    templates(first: 100, filter: { status: APPROVED }) { nodes { numberId } }
    conversations(first: 50, filter: { contactId: $id, windowOpen: true }) { nodes { numberId contactId windowEndsAt } }
  }
`);

export const TEMPLATES = graphql(`
  query SendTemplates($numberId: ID!) {
    templates(first: 100, filter: { status: APPROVED, numberId: $numberId }) {
      nodes { id name language variaveis { componente indice exemplo botao } components { type payload } }
    }
  }
`);

/** What would become of it, and what it would cost: nothing is sent. */
export const BEFORE = graphql(`
  query SendPreview($input: SendExplanationInput!) {
    sendExplanation(input: $input) {
      veredito em frase regra oQueFazer codigo podeEm
      regras { regra resultado porque entradas }
    }
  }
`);

/** How many SMS a text is, and how it reaches the phone. */
export const SEGMENTS = graphql(`
  query SendSegments($input: SmsPreviewInput!) {
    smsPreview(input: $input) { body encoding length segments billing { coins } }
  }
`);

export const SEND_SMS = graphql(`
  mutation SendOneSms($input: SendSmsInput!, $idempotencyKey: String!) {
    sendSms(input: $input, idempotencyKey: $idempotencyKey) { id }
  }
`);

export const SEND_RCS = graphql(`
  mutation SendOneRcs($input: SendRcsInput!, $idempotencyKey: String!) {
    sendRcs(input: $input, idempotencyKey: $idempotencyKey) { id }
  }
`);

export const SEND_EMAIL = graphql(`
  mutation SendOneEmail($input: SendEmailInput!, $idempotencyKey: String!) {
    sendEmail(input: $input, idempotencyKey: $idempotencyKey) { id }
  }
`);

export const SEND_MESSAGE = graphql(`
  mutation SendOneMessage($input: SendMessageInput!, $idempotencyKey: String!) {
    sendMessage(input: $input, idempotencyKey: $idempotencyKey) { id }
  }
`);

/** A message as it stands. */
export const SENT = graphql(`
  query SentMessage($id: ID!) {
    message(id: $id) {
      __typename id channel status failure createdAt sentAt deliveredAt readAt failedAt contactId
      contact { id name phone }
      decisao { id regras { regra resultado porque entradas } }
    }
  }
`);

export const SENT_CHANGED = graphql(`
  subscription SentMessageChanged($contactId: ID!) {
    messageChanged(filter: { contactId: $contactId }) {
      __typename id status failure sentAt deliveredAt readAt failedAt
    }
  }
`);
