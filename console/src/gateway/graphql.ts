import { initGraphQLTada } from "gql.tada";
import type { introspection } from "../graphql-env.d.ts";

/** Documents are written with this: their types are those of `graphql_api/schema.graphql`. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { BigInt: number; Date: string; DateTime: string; ID: string; JSON: unknown };
}>();

export type { FragmentOf, ResultOf, VariablesOf } from "gql.tada";
