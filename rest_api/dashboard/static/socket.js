// Subscriptions over graphql-transport-ws, with a new connection when one is lost.

const PROTOCOL = "graphql-transport-ws";
const SHORTEST = 1000;
const LONGEST = 30_000;
const ACKNOWLEDGED_WITHIN = 10_000;
const NOT_KNOWN = new Set([4401, 4403]);

/**
 * `subscriptions`: `[{query, variables?, next(data), refused(errors)}]`. `told(state, seconds)` hears of "connecting",
 * "live", "waiting" (for so many seconds) and "closed".
 */
export class Live {
  #gateway;
  #subscriptions;
  #told;
  #socket = null;
  #timer = 0;
  #failures = 0;
  #closed = false;
  #online = () => this.#connect();

  constructor(gateway, subscriptions, told) {
    this.#gateway = gateway;
    this.#subscriptions = subscriptions;
    this.#told = told;
    window.addEventListener("online", this.#online);
    this.#connect();
  }

  close() {
    this.#closed = true;
    window.removeEventListener("online", this.#online);
    clearTimeout(this.#timer);
    this.#socket?.close(1000);
    this.#told("closed");
  }

  #connect() {
    if (this.#closed || (this.#socket && this.#socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.#timer);
    this.#told("connecting");
    const socket = new WebSocket(new URL("/graphql", location.href).href.replace(/^http/, "ws"), PROTOCOL);
    this.#socket = socket;
    const late = setTimeout(() => socket.close(), ACKNOWLEDGED_WITHIN);
    const say = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => say({ type: "connection_init", payload: this.#gateway.introduction });
    socket.onmessage = ({ data }) => this.#heard(JSON.parse(data), say, late);
    socket.onclose = ({ code, reason }) => {
      clearTimeout(late);
      if (this.#closed) return;
      if (NOT_KNOWN.has(code)) this.#refused(reason.replace("Forbidden: ", ""));
      else this.#again();
    };
  }

  #heard(message, say, late) {
    const subscription = this.#subscriptions[message.id];
    switch (message.type) {
      case "connection_ack":
        clearTimeout(late);
        this.#failures = 0;
        this.#told("live");
        this.#subscriptions.forEach(({ query, variables }, id) =>
          say({ id: String(id), type: "subscribe", payload: { query, variables } }),
        );
        break;
      case "ping":
        say({ type: "pong" });
        break;
      case "next":
        if (message.payload.data) subscription.next(Object.values(message.payload.data)[0]);
        else subscription.refused(message.payload.errors ?? []);
        break;
      case "error":
        subscription.refused(message.payload);
        break;
    }
  }

  async #refused(message) {
    if ((await this.#gateway.renewed(message)) && !this.#closed) this.#again();
  }

  /** Twice as long each time, and never all pages at the same moment. */
  #again() {
    const wait = Math.min(LONGEST, SHORTEST * 2 ** this.#failures) * (0.5 + Math.random() / 2);
    this.#failures += 1;
    this.#told("waiting", Math.ceil(wait / 1000));
    this.#timer = setTimeout(() => this.#connect(), wait);
  }
}
