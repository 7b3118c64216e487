// `fetch` as a page of another origin has it: what its answers do not allow, it refuses, as browsers do.
const { ORIGIN } = process.env;
const plain = globalThis.fetch;
const SIMPLE = new Set(["accept", "accept-language", "content-language"]);
const SIMPLE_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

const words = (text) => (text ?? "").split(",").map((word) => word.trim().toLowerCase());

function allowsOrigin(answer) {
  if (answer.headers.get("access-control-allow-origin") !== ORIGIN) throw new TypeError("Failed to fetch: the origin");
}

globalThis.fetch = async (address, options = {}) => {
  const request = new Request(address, options);
  const headers = new Headers(options.headers);
  const unusual = [...headers].filter(
    ([name, value]) => !(SIMPLE.has(name) || (name === "content-type" && SIMPLE_TYPES.some((type) => value.startsWith(type)))),
  );
  const asks = unusual.map(([name]) => name).sort();
  if (asks.length > 0 || !["GET", "HEAD", "POST"].includes(request.method)) {
    const asked = { Origin: ORIGIN, "Access-Control-Request-Method": request.method };
    const answer = await plain(request.url, {
      method: "OPTIONS",
      headers: { ...asked, "Access-Control-Request-Headers": asks.join(",") },
    });
    allowsOrigin(answer);
    const allowed = words(answer.headers.get("access-control-allow-headers"));
    const methods = words(answer.headers.get("access-control-allow-methods"));
    if (!answer.ok || asks.some((name) => !allowed.includes(name))) throw new TypeError("Failed to fetch: the headers");
    if (!["get", "head", "post", ...methods].includes(request.method.toLowerCase())) throw new TypeError("Failed to fetch: the method");
  }
  headers.set("Origin", ORIGIN);
  const answer = await plain(address, { ...options, headers });
  allowsOrigin(answer);
  return answer;
};
