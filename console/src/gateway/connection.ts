import { Store } from "./store";

/** How the service can be reached. `waitUntil`: it asked to be left alone until then. */
export interface Connection {
  offline: boolean;
  waitUntil: number | null;
  live: "off" | "on" | "lost";
}

export const connection = new Store<Connection>({ offline: false, waitUntil: null, live: "off" });

export const tell = (part: Partial<Connection>): void => connection.set({ ...connection.get(), ...part });

const followers = new Set<() => void>();

/** `again` is called when something may have been missed: after a gap of the live connection, or of the network. */
export function onGap(again: () => void): () => void {
  followers.add(again);
  return () => void followers.delete(again);
}

export function gapEnded(): void {
  for (const again of [...followers]) again();
}
