// A draft that is being changed: each change is stored at once, and can be undone.

import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { type Refusal, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { useFresh } from "../../ui/conflict";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { toast } from "../../ui/parts";
import { CHANGE_STEPS, JOURNEY } from "./documents";
import { connected, type Draft, draftOf, inserted, type Make, pieceOf, type Place, placeAfter, reachedOnly, rebased, unreached, without, type Written } from "./graph";
import { ENTRY, type Journey } from "./layout";
import { TEXTS } from "./texts";

const REMEMBERED = 100;

export interface Clash {
  lost: string[];
  theirs: Draft;
  mine: Draft;
  choose: (mine: boolean) => void;
}

export interface Editing {
  draft: Draft;
  busy: boolean;
  refusal: Refusal | null;
  /** Steps that a change would take out besides; nothing is stored until somebody says so. */
  doubt: { gone: Written[]; go: () => void; stay: () => void } | null;
  /** What others changed meanwhile and a change would replace; nothing is stored until somebody chooses. */
  clash: Clash | null;
  canUndo: boolean;
  canRedo: boolean;
  copied: number;
  undo: () => void;
  redo: () => void;
  change: (step: string, part: Omit<Written, "id" | "proximo">) => Promise<Refusal | null>;
  insert: (place: Place, piece: readonly Written[]) => Promise<Refusal | null>;
  connect: (place: Place, to: string | undefined) => void;
  remove: (step: string) => void;
  removable: (step: string) => boolean;
  copy: (step: string, whole: boolean) => void;
  paste: (after: string) => void;
}

const changed = ({ id, proximo }: Written, part: Omit<Written, "id" | "proximo">): Written => ({ id, ...part, ...(proximo && { proximo }) });

/** `chosen`: which step is shown after a change. */
export function useEditing(journey: Journey, choose: (step: string | undefined) => void): Editing {
  const t = useTexts(TEXTS);
  const navigate = useNavigate();
  const [change, busy] = useWrite(CHANGE_STEPS);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [doubt, setDoubt] = useState<{ gone: Written[]; make: Make; chosen: string | undefined } | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const { may } = useSession();
  const fresh = useFresh(JOURNEY);
  const [copied, setCopied] = useDraft<Written[]>("journey.copied", []);
  const [past, setPast] = useState<Draft[]>([]);
  const [future, setFuture] = useState<Draft[]>([]);
  const draft = draftOf(journey);
  const running = useRef(false);
  /** What the change that was stored last was made of: to that an undo goes back. */
  const base = useRef(draft);
  const known = useRef(journey.updatedAt);
  const forget = () => {
    setPast([]);
    setFuture([]);
  };
  useEffect(() => {
    if (running.current || known.current === journey.updatedAt) return;
    known.current = journey.updatedAt;
    forget(); // somebody else's draft: an undo would take it back unseen
  }, [journey.updatedAt]);

  /** Stores the draft as `make` leaves it: that of others where they were quicker, unless it would replace what they did. */
  async function write(make: Make, chosen: string | undefined): Promise<Refusal | null> {
    if (running.current) return null;
    running.current = true;
    try {
      return await attempt(make, chosen);
    } finally {
      running.current = false;
    }
  }
  async function attempt(make: Make, chosen: string | undefined): Promise<Refusal | null> {
    let [next, updatedAt] = [make(draft), journey.updatedAt];
    base.current = draft;
    for (;;) {
      const { passos, entradaPasso } = next;
      const { data, refusal: why } = await change({ id: journey.id, input: { passos, ...(entradaPasso && { entradaPasso }), updatedAt } });
      const now = why?.meta["updatedAt"] ? (await fresh({ id: journey.id, templates: may("templates:read") }))?.journey : null;
      if (!now) {
        setRefusal(why);
        if (!why) stored(data?.updateJourney, base.current !== draft, chosen);
        return why;
      }
      const theirs = draftOf(now);
      const over = rebased(draft, theirs, make);
      known.current = updatedAt = now.updatedAt;
      base.current = theirs;
      forget();
      const isMine = !over.lost.length || (await new Promise<boolean>((choose) => setClash({ lost: over.lost, theirs, mine: over.next, choose })));
      setClash(null);
      if (!isMine) return { ...why!, sentence: t("keptTheirs") };
      next = over.next;
    }
  }
  function stored(now: { id: string; updatedAt: string } | null | undefined, isMerged: boolean, chosen: string | undefined) {
    if (now && now.id !== journey.id) {
      toast(t("becameVersion")); // somebody activated it meanwhile
      void navigate({ to: `/jornadas/${now.id}` });
      return;
    }
    if (now) known.current = now.updatedAt;
    if (isMerged) toast(t("bothKept"));
    choose(chosen);
  }
  async function put(make: Make, chosen: string | undefined): Promise<Refusal | null> {
    const gone = unreached(make(draft));
    if (gone.length) {
      setDoubt({ gone, make, chosen });
      return null;
    }
    const why = await write(make, chosen);
    if (!why) {
      setPast((before) => [...before, base.current].slice(-REMEMBERED));
      setFuture([]);
    }
    return why;
  }
  async function step(from: Draft[], setFrom: typeof setPast, setTo: typeof setPast) {
    const next = from.at(-1);
    if (!next || running.current || (await write(() => next, undefined))) return;
    setFrom((all) => all.slice(0, -1));
    setTo((all) => [...all, base.current].slice(-REMEMBERED));
  }
  const undo = () => void step(past, setPast, setFuture);
  const redo = () => void step(future, setFuture, setPast);

  const keys = useRef({ undo, redo });
  keys.current = { undo, redo };
  useEffect(() => {
    function pressed(event: KeyboardEvent) {
      const { target } = event;
      if (!(event.ctrlKey || event.metaKey) || document.querySelector("dialog[open]")) return;
      if (target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) keys.current.redo();
      else keys.current.undo();
    }
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);

  const insert = (place: Place, piece: readonly Written[]) =>
    put((to) => inserted(to, place, piece).draft, inserted(draft, place, piece).first);
  return {
    draft,
    busy: busy || clash !== null,
    refusal,
    doubt: doubt && {
      gone: doubt.gone,
      go: () => {
        setDoubt(null);
        void put((to) => reachedOnly(doubt.make(to)), doubt.chosen);
      },
      stay: () => setDoubt(null),
    },
    clash,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    copied: copied.length,
    undo,
    redo,
    change: (id, part) => put((to) => ({ ...to, passos: to.passos.map((one) => (one.id === id ? changed(one, part) : one)) }), id),
    insert,
    connect: (place, to) => void put((draft) => connected(draft, place, to), place.from === ENTRY ? undefined : place.from),
    remove: (id) => void put((to) => without(to, id), undefined),
    removable: (id) => without(draft, id).entradaPasso !== null,
    copy: (id, whole) => {
      const piece = pieceOf(draft, id, whole);
      setCopied(piece);
      toast(t("copied", { count: piece.length }));
    },
    paste: (after) => {
      const place = placeAfter(draft, after);
      if (place && copied.length) void insert(place, copied);
    },
  };
}
