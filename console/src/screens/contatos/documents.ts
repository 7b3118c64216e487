import { graphql } from "../../gateway/graphql";

/** A page of the table; with the first one what the filters offer. */
export const CONTACTS = graphql(`
  query Contacts($filter: ContactFilter, $orderBy: ContactOrder, $after: String, $entry: Boolean!) {
    contacts(first: 100, after: $after, filter: $filter, orderBy: $orderBy) {
      totalCount @include(if: $entry)
      warnings
      pageInfo { hasNextPage endCursor }
      nodes { id name phone email tags source createdAt lastInteractionAt optIn { status } company { id nome } }
    }
    lists(first: 100) @include(if: $entry) { nodes { id name } }
    segments(first: 100) @include(if: $entry) { nodes { id name } }
  }
`);

export const CONTACT = graphql(`
  query ContactPage($id: ID!) {
    contact(id: $id) {
      id name phone email avatarUrl tags source createdAt updatedAt lastInteractionAt externalId attributes
      whatsappProfileName papelNaEmpresa
      optIn { status source at revokedAt revokedReason }
      optOuts { canal em motivo origem }
      documentos { cpf cnpj nascimento }
      company { id nome }
      lists { id name }
      cards(first: 5) { nodes { id titulo status valor moeda } }
      timeline(first: 30) { warnings pageInfo { hasNextPage endCursor } nodes {
        __typename id kind at
        ... on MessageEntry { channel direction status failure body subject }
        ... on ClickEntry { clickChannel: channel host shortUrl clicks }
        ... on CustomerEventEntry { name value currency }
        ... on StageMoveEntry { tipo titulo de { nome } para { nome } porNome }
        ... on ConsentEntry { canal optInStatus consentSource: source consentReason: reason }
        ... on PushEntry { platform deliveryStatus pushTitle: titulo }
      } }
    }
  }
`);

export const EARLIER = graphql(`
  query ContactTimeline($id: ID!, $after: String, $kinds: [TimelineKind!]) {
    contact(id: $id) {
      id
      timeline(first: 50, after: $after, filter: { kinds: $kinds }) { warnings pageInfo { hasNextPage endCursor } nodes {
        __typename id kind at
        ... on MessageEntry { channel direction status failure body subject }
        ... on ClickEntry { clickChannel: channel host shortUrl clicks }
        ... on CustomerEventEntry { name value currency }
        ... on StageMoveEntry { tipo titulo de { nome } para { nome } porNome }
        ... on ConsentEntry { canal optInStatus consentSource: source consentReason: reason }
        ... on PushEntry { platform deliveryStatus pushTitle: titulo }
      } }
    }
  }
`);

/** What the form writes, as it is stored now. */
export const CONTACT_NOW = graphql(`
  query ContactNow($id: ID!) {
    contact(id: $id) { id name email externalId tags attributes updatedAt }
  }
`);

export const CREATE = graphql(`
  mutation CreateContact($input: CreateContactInput!) {
    createContact(input: $input) { id name phone }
  }
`);

export const CHANGE = graphql(`
  mutation ChangeContact($id: ID!, $input: UpdateContactInput!) {
    updateContact(id: $id, input: $input) { id name email externalId tags attributes updatedAt }
  }
`);

export const CLOSE_CHANNEL = graphql(`
  mutation CloseChannel($input: OptOutContactsInput!) {
    optOutContacts(input: $input) { registrados jaEstavam }
  }
`);

export const OPEN_CHANNEL = graphql(`
  mutation OpenChannel($input: OptInContactsInput!) {
    optInContacts(input: $input) { registrados naoEstavam anterioresARevogacao fechadosParaTodos }
  }
`);

export const REVEAL = graphql(`
  mutation RevealDocuments($id: ID!) {
    revealContactDocuments(id: $id) { cpf cnpj nascimento }
  }
`);

export const LISTS = graphql(`
  query ImportLists {
    lists(first: 100) { nodes { id name } }
  }
`);

/** With `simular` nothing is stored. */
export const IMPORT = graphql(`
  mutation ImportContacts($input: ImportContactsInput!) {
    importContacts(input: $input) {
      criados atualizados inalterados ignorados
      erros { linha campo codigo mensagem }
      warnings { linha campo codigo mensagem }
    }
  }
`);

export const FIELDS = graphql(`
  query SegmentFields {
    contactFields { items { key label tipo origem filtravel operadores campo } }
  }
`);

export const PREVIEW = graphql(`
  query SegmentCount($input: SegmentPreviewInput!) {
    segmentPreview(input: $input) { count partial }
  }
`);

export const CREATE_SEGMENT = graphql(`
  mutation CreateSegment($input: CreateSegmentInput!) {
    createSegment(input: $input) { id name }
  }
`);

export const WHAT_GOES = graphql(`
  query WhatGoes($id: ID!) {
    contact(id: $id) {
      id
      lists { id }
      messages(first: 1) { totalCount }
      waiting: messages(first: 1, filter: { status: [QUEUED], direction: OUTBOUND }) { totalCount }
      journeyRuns(first: 1, filter: { estado: ATIVA }) { totalCount }
      customerEvents(first: 1) { totalCount }
      cards(first: 1) { totalCount }
    }
  }
`);

export const ERASE = graphql(`
  mutation EraseContact($id: ID!) {
    deleteContact(id: $id) { id }
  }
`);

/** What is stored of a person, for the person; each look is audited. */
export const PERSONAL_DATA = graphql(`
  query PersonalData($id: ID!) {
    personalData(id: $id) { filename mediaType content }
  }
`);
