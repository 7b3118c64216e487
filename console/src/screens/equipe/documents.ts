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
