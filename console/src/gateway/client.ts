import { cacheExchange } from "@urql/exchange-graphcache";
import { createClient as createSocket } from "graphql-ws";
import { Client, fetchExchange, subscriptionExchange } from "urql";
import { gapEnded, tell } from "./connection";
import { current, renew, type Session } from "./session";
import { fetchGateway } from "./transport";

const REFUSED = new Set([4401, 4403]);
const LONGEST_PAUSE = 30_000;

/** A client with a cache of its own for each log-in. */
export function clientOf(_: Session): { client: Client; close: () => void } {
  let wasLost = false;
  const socket = createSocket({
    url: new URL("/graphql", location.href).href.replace(/^http/, "ws"),
    connectionParams: () => ({ "X-CSRF-Token": current().csrfToken }),
    retryAttempts: Infinity,
    keepAlive: 20_000,
    shouldRetry: () => true,
    retryWait: async (retries) => {
      const pause = Math.min(LONGEST_PAUSE, 1000 * 2 ** retries) * (0.5 + Math.random() / 2);
      await new Promise((done) => setTimeout(done, pause));
    },
    on: {
      connected: () => {
        tell({ live: "on", offline: false });
        if (wasLost) gapEnded();
        wasLost = false;
      },
      closed: (event) => {
        const { code, wasClean } = event as CloseEvent;
        if (code === 1000 && wasClean) return tell({ live: "off" });
        wasLost = true;
        tell({ live: "lost" });
        if (REFUSED.has(code)) void renew();
      },
    },
  });
  const client = new Client({
    url: "/graphql",
    fetch: fetchGateway,
    preferGetMethod: false,
    exchanges: [
      cacheExchange({ keys: { JourneyStep: () => null } }), // its id names it within its journey alone
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query, variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe({ query: query!, variables: variables as Record<string, unknown> }, sink as never),
          }),
        }),
      }),
    ],
  });
  return { client, close: () => void socket.dispose() };
}
