import { graphql } from "../../gateway/graphql";

export const PEOPLE = graphql(`
  query TeamPeople {
    accounts(first: 100) { totalCount nodes { id name email role status createdAt } }
  }
`);

export const INVITE = graphql(`
  mutation InvitePerson($input: InviteAccountInput!) {
    inviteAccount(input: $input) { letter link expiresAt account { id } }
  }
`);

export const CHANGE_PERSON = graphql(`
  mutation ChangePerson($id: ID!, $input: UpdateAccountInput!) {
    updateAccount(id: $id, input: $input) { id name role status }
  }
`);

export const AUDIT = graphql(`
  query TeamAudit($filter: AuditFilter, $after: String, $entry: Boolean!) {
    accounts(first: 100) @include(if: $entry) { nodes { id name } }
    auditEntries(first: 100, after: $after, filter: $filter) {
      pageInfo { hasNextPage endCursor }
      nodes { id at action subjectId requestId facts actor { kind id } }
    }
  }
`);

export const SENDERS = graphql(`
  query TeamSenders {
    emailSenders(first: 100) { nodes { id address method status txtName txtValue expiresAt checkedAt lastCheck createdAt verifiedAt } }
    emailSuppressions(first: 20) { nodes { id to reason createdAt } }
  }
`);

export const CREATE_SENDER = graphql(`
  mutation CreateSender($input: CreateEmailSenderInput!) {
    createEmailSender(input: $input) {
      sandboxCode
      emailSender { id address method status txtName txtValue expiresAt checkedAt lastCheck createdAt verifiedAt }
    }
  }
`);

export const VERIFY_SENDER = graphql(`
  mutation VerifySender($id: ID!, $input: VerifyEmailSenderInput) {
    verifyEmailSender(id: $id, input: $input) { id address method status txtName txtValue expiresAt checkedAt lastCheck createdAt verifiedAt }
  }
`);

export const DELETE_SENDER = graphql(`
  mutation DeleteSender($id: ID!) {
    deleteEmailSender(id: $id) { id }
  }
`);

export const LIFT = graphql(`
  mutation LiftSuppression($input: DeleteEmailSuppressionInput) {
    deleteEmailSuppression(input: $input) { id }
  }
`);

export const NUMBERS = graphql(`
  query TeamNumbers {
    numbers(first: 100) {
      nodes { id displayPhone status qualityRating messagingTier rateLimit { perSecond perDay } meta { verifiedName nameStatus partnerRemovedAt } }
    }
  }
`);

/** The platform is asked. */
export const NUMBER_NOW = graphql(`
  query TeamNumberNow($id: ID!) {
    numberHealth(id: $id) {
      status qualityRating messagingTier podeEnviar verificadoEm fonte
      profile { about website }
      problemas { codigo mensagem gravidade }
    }
    numberUsage(id: $id, input: { window: _7D }) { sent marketingSent since until }
  }
`);

export const NUMBER_TOLD = graphql(`
  subscription TeamNumberTold {
    eventPublished(types: [NUMBER_QUALITY_CHANGED]) { id }
  }
`);

export const TEMPLATES = graphql(`
  query TeamTemplates($filter: TemplateFilter, $after: String, $entry: Boolean!) {
    templates(first: 50, after: $after, filter: $filter) {
      pageInfo { hasNextPage endCursor }
      nodes { id numberId name language category status version rejectionReason updatedAt variaveis { exemplo } components { type payload } number { id displayPhone } }
    }
    numbers(first: 100) @include(if: $entry) { nodes { id displayPhone } }
  }
`);

export const TEMPLATE_NOW = graphql(`
  query TeamTemplate($id: ID!) {
    template(id: $id) { id name language category status updatedAt components { type payload } }
  }
`);

export const CREATE_TEMPLATE = graphql(`
  mutation CreateTemplate($input: CreateTemplateInput!) {
    createTemplate(input: $input) { id }
  }
`);

export const CHANGE_TEMPLATE = graphql(`
  mutation ChangeTemplate($id: ID!, $input: UpdateTemplateInput!) {
    updateTemplate(id: $id, input: $input) { id }
  }
`);

export const SUBMIT_TEMPLATE = graphql(`
  mutation SubmitTemplate($id: ID!) {
    submitTemplate(id: $id) { id status }
  }
`);

export const DELETE_TEMPLATE = graphql(`
  mutation DeleteTemplate($id: ID!) {
    deleteTemplate(id: $id) { id }
  }
`);

export const TEMPLATE_TOLD = graphql(`
  subscription TeamTemplateTold {
    eventPublished(types: [TEMPLATE_APPROVED, TEMPLATE_REJECTED]) { id }
  }
`);

/** What holds for everybody; each part where its scope is there. */
export const RULES = graphql(`
  query TeamRules($people: Boolean!, $journeys: Boolean!, $push: Boolean!) {
    pushSettings @include(if: $push) { janelaSilencio { inicio fim fuso dias } excecoes }
    optOutWords { saida volta }
    journeySettings @include(if: $journeys) { teto { mensagens dias aoTeto } }
    me @include(if: $people) { organization { id settings { demandsSecondFactor withoutSecondFactor } } }
  }
`);

export const PUT_HOURS = graphql(`
  mutation PutQuietHours($input: ReplacePushSettingsInput!) {
    replacePushSettings(input: $input) { janelaSilencio { inicio fim } }
  }
`);

export const PUT_WORDS = graphql(`
  mutation PutOptOutWords($input: ReplaceOptOutWordsInput!) {
    replaceOptOutWords(input: $input) { saida volta }
  }
`);

export const PUT_CAP = graphql(`
  mutation PutJourneyCap($input: ReplaceJourneySettingsInput!) {
    replaceJourneySettings(input: $input) { teto { mensagens dias } }
  }
`);

export const SET_ORGANIZATION = graphql(`
  mutation SetOrganization($input: UpdateOrganizationInput!) {
    updateOrganization(input: $input) { id }
  }
`);
