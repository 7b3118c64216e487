import { graphql } from "../gateway/graphql";

export const FIND = graphql(`
  query PaletteContacts($q: String!) {
    contacts(first: 6, filter: { q: $q }) { nodes { id name phone } }
  }
`);

export const OPEN = graphql(`
  query PaletteRecord($id: ID!) {
    node(id: $id) { __typename id }
  }
`);
