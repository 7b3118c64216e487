// What the browser keeps: choices of looks for good, drafts until the tab is closed. Nothing else, and no records.

import { useCallback, useState } from "react";

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Then it holds for this visit.
  }
}

const DRAFT = "svc.console.draft.";

/** State of a form that outlives a reload of this tab; `clear` when it was sent. */
export function useDraft<T>(name: string, initial: T): [T, (value: T) => void, () => void] {
  const place = DRAFT + name;
  const [value, setValue] = useState<T>(() => {
    try {
      const kept = sessionStorage.getItem(place);
      return kept ? (JSON.parse(kept) as T) : initial;
    } catch {
      return initial;
    }
  });
  const keep = useCallback(
    (next: T) => {
      setValue(next);
      try {
        sessionStorage.setItem(place, JSON.stringify(next));
      } catch {
        // Then it lives as long as the page.
      }
    },
    [place],
  );
  const clear = useCallback(() => {
    sessionStorage.removeItem(place);
    setValue(initial);
  }, [place]);
  return [value, keep, clear];
}

/** The same from elsewhere: the form is not on the screen any more. */
export const forgetDraft = (name: string): void => sessionStorage.removeItem(DRAFT + name);

/** Nothing that was typed stays for the next person. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(DRAFT)) sessionStorage.removeItem(name);
}
