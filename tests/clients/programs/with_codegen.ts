// A query whose types come from graphql-codegen's client preset, asked with urql and Apollo as they are by default.
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache, ServerError } from "@apollo/client/core/index.js";
import { Client, cacheExchange, fetchExchange } from "@urql/core";
import { graphql } from "./codegen/gql.js";

const url = `${process.env.URL}/graphql`;
const headers = { Authorization: `Bearer ${process.env.KEY}` };

const WHO = graphql(`
  query Who($first: Int!) {
    me { env }
    contacts(first: $first) { totalCount edges { node { name phone optIn { status } } } }
  }
`);
const NEW = graphql(`
  mutation New($input: CreateContactInput!) {
    createContact(input: $input) { id name }
  }
`);

const methods: string[] = [];
const watched: typeof fetch = (address, options) => {
  methods.push(options?.method ?? "GET");
  return fetch(address, options);
};

async function withUrql(phone: string) {
  const client = new Client({ url, fetch: watched, fetchOptions: { headers }, exchanges: [cacheExchange, fetchExchange] });
  const stranger = new Client({ url, exchanges: [fetchExchange] });
  const read = await client.query(WHO, { first: 1 });
  const wrote = await client.mutation(NEW, { input: { phone, name: "Joana Souza" } });
  const wrong = await client.query("{ nothing }", {});
  const refused = await stranger.query(WHO, { first: 1 });
  return {
    env: read.data?.me?.env,
    wrote: wrote.data?.createContact?.name,
    wrong: wrong.error?.graphQLErrors.map((error) => error.message),
    refused: refused.error?.graphQLErrors.map((error) => error.extensions.code),
  };
}

async function caught(asked: Promise<unknown>): Promise<CombinedGraphQLErrors | undefined> {
  try {
    await asked;
  } catch (error) {
    if (CombinedGraphQLErrors.is(error)) return error;
    throw ServerError.is(error) ? new Error(`the reason is hidden: ${error.message}`) : error;
  }
}

async function withApollo(phone: string) {
  const cache = new InMemoryCache();
  const client = new ApolloClient({ cache, link: new HttpLink({ uri: url, headers, fetch: watched }) });
  const stranger = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: url }) });
  const read = await client.query({ query: WHO, variables: { first: 1 } });
  const wrote = await client.mutate({ mutation: NEW, variables: { input: { phone, name: "Joana Souza" } } });
  const wrong = await caught(client.query({ query: WHO, variables: { first: "one" as unknown as number } }));
  const refused = await caught(stranger.query({ query: WHO, variables: { first: 1 } }));
  return {
    env: read.data?.me?.env,
    wrote: wrote.data?.createContact?.name,
    wrong: wrong?.errors.map((error) => error.extensions?.code),
    refused: refused?.errors.map((error) => error.extensions?.code),
  };
}

const urql = await withUrql("+5511987650101");
const byUrql = methods.splice(0);
const apollo = await withApollo("+5511987650102");
console.log(JSON.stringify({ urql, byUrql, apollo, byApollo: methods }));
