// GraphiQL against this service. A key is asked for first; then it stands in the header editor, and is kept nowhere else.
"use strict";

const KEY = /^[\x21-\x7e]{20,}$/;
const QUERY = `# Whose the key is, and what it may see.
# The book opens the schema.

{
  me {
    env
    scopes
    organization {
      id
      nome
    }
  }
}
`;
const SETTLED = 400; // milliseconds without typing, after which a key is tried

// What GraphiQL may keep: how the page looks, and the tabs, which it stores without headers, with the query and the
// variables by which it finds the open one again. Its history would be stored with headers, so that lives as long as
// the page.
const KEPT = /^graphiql:(theme|tabState|query|variables|visiblePlugin|\w*[fF]lex)$/;
const memory = new Map();

function lasting(name) {
  try {
    return KEPT.test(name) ? window.localStorage : null;
  } catch {
    return null; // the browser lets us keep nothing
  }
}

const storage = {
  getItem: (name) => lasting(name)?.getItem(name) ?? memory.get(name) ?? null,
  setItem: (name, value) => (lasting(name) ? lasting(name).setItem(name, value) : memory.set(name, value)),
  removeItem: (name) => (lasting(name)?.removeItem(name), memory.delete(name)),
  clear: () => (Object.keys(window.localStorage).forEach((name) => storage.removeItem(name)), memory.clear()),
  get length() {
    return memory.size;
  },
};

/** The header as it is to be sent, or null while it holds no key. */
function authorization(headers) {
  const name = Object.keys(headers ?? {}).find((name) => name.toLowerCase() === "authorization");
  const value = name && String(headers[name]).trim();
  return value && /^Bearer [\x21-\x7e]{20,}$/i.test(value) ? value : null;
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

let current = null; // the header of the newest request, for sockets that are opened by it

const socket = graphqlWs.createClient({
  url: new URL("/graphql", window.location.href).href.replace(/^http/, "ws"),
  connectionParams: () => ({ Authorization: current }),
  retryAttempts: 0,
});

/** A new one each time: GraphiQL asks for the schema again when it is given another. */
function newFetcher() {
  const ask = GraphiQL.createFetcher({ url: "/graphql", wsClient: socket });
  return (params, options) => {
    current = authorization(options?.headers);
    if (current) return ask(params, options);
    return Promise.resolve({ errors: [{ message: "There is no key among the headers below." }] });
  };
}

const h = React.createElement;

/** Why a key does not open the service; null: it does. */
async function refusalOf(key) {
  try {
    const answer = await fetch("/graphql", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query: "{ me { env } }" }),
    });
    const { errors } = await answer.json();
    return errors?.[0]?.message ?? null;
  } catch {
    return "The service does not answer. Try again in a moment.";
  }
}

/** Where a key is asked for. */
function Gate({ enter }) {
  const [why, setWhy] = React.useState("");
  const [busy, setBusy] = React.useState(false);
  const field = React.useRef(null);
  const refuse = (text) => {
    setWhy(text);
    field.current.focus();
  };
  const submitted = async (event) => {
    event.preventDefault();
    const key = field.current.value.trim().replace(/^Bearer\s+/i, "");
    if (!KEY.test(key)) return refuse("That is no key: copy it whole, from svc_ to its end.");
    setBusy(true);
    const refusal = await refusalOf(key);
    if (!refusal) return enter(key);
    setBusy(false);
    refuse(refusal);
  };
  // No password field: browsers offer to keep those.
  const input = h("input", {
    id: "key",
    ref: field,
    type: "text",
    autoComplete: "off",
    autoCapitalize: "off",
    spellCheck: false,
    autoFocus: true,
    placeholder: "svc_test_…",
    "aria-describedby": "kept why",
    "aria-invalid": why ? true : undefined,
  });
  return h(
    "main",
    { className: "gate" },
    h("h1", null, "GraphiQL"),
    h("p", null, "Paste an API key, or the token of a session, to ask what it may see."),
    h(
      "form",
      { onSubmit: submitted, noValidate: true },
      h("label", { htmlFor: "key" }, "API key"),
      input,
      h("p", { id: "why", className: "why", role: "alert" }, why),
      h("button", { type: "submit", disabled: busy }, busy ? "Opening…" : "Open GraphiQL"),
    ),
    h(
      "p",
      { id: "kept", className: "quiet" },
      "The key stays in this open page: it is not stored, and it is gone when you reload.",
    ),
    h("p", { className: "quiet" }, "The rest of the service: ", h("a", { href: "/docs" }, "/docs")),
  );
}

/** GraphiQL for a key, which may be changed among the headers, too. */
function Explorer({ opened, leave }) {
  const [fetcher, setFetcher] = React.useState(newFetcher);
  const typed = React.useRef({ key: `Bearer ${opened}`, timer: 0 });
  const edited = (text) => {
    clearTimeout(typed.current.timer);
    typed.current.timer = setTimeout(() => {
      const key = authorization(read(text));
      if (!key || key === typed.current.key) return;
      typed.current.key = key;
      setFetcher(newFetcher);
    }, SETTLED);
  };
  const logo = h(
    GraphiQL.Logo,
    null,
    h(
      "span",
      { className: "svc" },
      h("img", { src: document.querySelector("link[rel=icon]").href, alt: "" }),
      "SVC",
      h("button", { type: "button", onClick: leave }, "Other key"),
    ),
  );
  const settings = {
    fetcher,
    storage,
    defaultQuery: QUERY,
    defaultHeaders: JSON.stringify({ Authorization: `Bearer ${opened}` }, null, 2),
    defaultEditorToolsVisibility: "headers",
    onEditHeaders: edited,
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
  };
  return h(GraphiQL, settings, logo);
}

function Page() {
  const [key, setKey] = React.useState(null);
  return key ? h(Explorer, { opened: key, leave: () => setKey(null) }) : h(Gate, { enter: setKey });
}

ReactDOM.createRoot(document.getElementById("page")).render(h(Page));
