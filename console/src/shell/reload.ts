// A tab that is older than the service asks for files that are gone: it reloads once, and says so.

const NAME = "svc.console.reloaded";
const AGAIN_AFTER = 60_000;

/** Loads a part of the console. Where its file is gone, the page is opened anew, once a minute at most. */
export async function loadOrReload<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const before = Number.parseInt(sessionStorage.getItem(NAME) ?? "0", 10);
    if (!navigator.onLine || Date.now() - before < AGAIN_AFTER) throw error;
    sessionStorage.setItem(NAME, String(Date.now()));
    location.reload();
    return new Promise(() => {});
  }
}

/** Whether this page was just opened anew by itself; true once. */
export function wasReloaded(): boolean {
  const at = sessionStorage.getItem(NAME);
  if (!at || at.endsWith("!")) return false;
  sessionStorage.setItem(NAME, `${at}!`);
  return true;
}
