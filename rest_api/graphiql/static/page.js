// GraphiQL against this service. The key stands in the header editor and is kept nowhere else.
"use strict";

const PLACEHOLDER = "svc_test_…";
const HEADERS = `{\n  "Authorization": "Bearer ${PLACEHOLDER}"\n}`;
const QUERY = `# Put your key into the headers below,
# in place of ${PLACEHOLDER}
# It is kept in the open page alone.

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

// What GraphiQL may keep: how the page looks, and the tabs, which it stores without headers. Its history would be
// stored with them, so that lives as long as the page.
const KEPT = /^graphiql:(theme|tabState|visiblePlugin|\w*[fF]lex)$/;
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
    return Promise.resolve({ errors: [{ message: `Put your key into the headers, in place of ${PLACEHOLDER}` }] });
  };
}

function Page() {
  const h = React.createElement;
  const [fetcher, setFetcher] = React.useState(newFetcher);
  const typed = React.useRef({ key: null, timer: 0 });
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
    h("span", { className: "svc" }, h("img", { src: document.querySelector("link[rel=icon]").href, alt: "" }), "SVC"),
  );
  const settings = {
    fetcher,
    storage,
    defaultQuery: QUERY,
    defaultHeaders: HEADERS,
    defaultEditorToolsVisibility: "headers",
    onEditHeaders: edited,
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
  };
  return h(GraphiQL, settings, logo);
}

ReactDOM.createRoot(document.getElementById("page")).render(React.createElement(Page));
