// Everything is asked of this server. What Scalar could ask of others is off, and the page's policy forbids it anyway.
Scalar.createApiReference("#app", {
  url: "/openapi.json",
  servers: [{ url: window.location.origin }], // the policy lets requests go nowhere else
  proxyUrl: "",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  persistAuth: false, // a key stays in the open page and nowhere else
  documentDownloadType: "json",
  orderSchemaPropertiesBy: "preserve",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "SVC API reference" },
});
