// The same through the client of @hey-api/openapi-ts, with its default plugins.
import { client } from "./hey_api/client.gen.js";
import { smsListMessages, smsSendMessage } from "./hey_api/sdk.gen.js";

client.setConfig({ baseUrl: process.env.URL!, auth: () => process.env.KEY });

const sent = await smsSendMessage({
  headers: { "Idempotency-Key": "hey-api-1042" },
  body: { to: "+5511987650005", body: "Olá! Seu pedido saiu para entrega.", route: "premium" },
});
if (!sent.data) throw new Error(sent.error?.detail);

const list = await smsListMessages({ query: { limit: 10 } });
if (!list.data) throw new Error(list.error?.detail);

const wrong = await smsSendMessage({
  headers: { "Idempotency-Key": "hey-api-1043" },
  body: { to: "12", body: "Olá!", route: "premium" },
});
console.log(
  JSON.stringify({
    status: sent.data.status,
    listed: list.data.items.some((message) => message.id === sent.data.id),
    refused: wrong.error?.errors?.map((fault) => fault.pointer),
  }),
);
