// The audit of "GraphQL over HTTP" that the package graphql-http brings: what is not as it should be.
import { auditServer } from "graphql-http";

const { URL: base, KEY } = process.env;
const fetchFn = (address, options = {}) =>
  fetch(address, { ...options, headers: { ...options.headers, Authorization: `Bearer ${KEY}` } });
const results = await auditServer({ url: `${base}/graphql`, fetchFn });
console.log(
  JSON.stringify({
    audits: results.length,
    fallen: results.filter((one) => one.status !== "ok").map((one) => [one.status, one.id, one.name, one.reason]),
  }),
);
