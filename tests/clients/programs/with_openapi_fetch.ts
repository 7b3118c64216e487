// The README's first message, sent through openapi-fetch with the types of openapi-typescript.
import createClient from "openapi-fetch";
import type { paths } from "./openapi_typescript.js";

const svc = createClient<paths>({
  baseUrl: process.env.URL!,
  headers: { Authorization: `Bearer ${process.env.KEY}` },
});

const sent = await svc.POST("/v2/sms/messages", {
  params: { header: { "Idempotency-Key": "openapi-fetch-1042" } },
  body: { to: "+5511987650005", body: "Olá! Seu pedido saiu para entrega.", route: "premium" },
});
if (sent.error) throw new Error(sent.error.detail);

const list = await svc.GET("/v2/sms/messages", { params: { query: { limit: 10 } } });
if (list.error) throw new Error(list.error.detail);

const wrong = await svc.POST("/v2/sms/messages", {
  params: { header: { "Idempotency-Key": "openapi-fetch-1043" } },
  body: { to: "12", body: "Olá!", route: "premium" },
});
console.log(
  JSON.stringify({
    status: sent.data.status,
    listed: list.data.items.some((message) => message.id === sent.data.id),
    refused: wrong.error?.errors?.map((fault) => fault.pointer),
  }),
);
