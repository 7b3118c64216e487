// A draft that is being changed: each change is stored at once, and can be undone.

import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { type Refusal, useWrite } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { toast } from "../../ui/parts";
import { CHANGE_STEPS } from "./documents";
import { connected, type Draft, draftOf, inserted, pieceOf, type Place, placeAfter, reachedOnly, unreached, without, type Written } from "./graph";
import { ENTRY, type Journey } from "./layout";
import { TEXTS } from "./texts";

const REMEMBERED = 100;

export interface Editing {
  draft: Draft;
  busy: boolean;
  refusal: Refusal | null;
  /** Steps that a change would take out besides; nothing is stored until somebody says so. */
  doubt: { gone: Written[]; go: () => void; stay: () => void } | null;
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
  const [doubt, setDoubt] = useState<{ next: Draft; chosen: string | undefined } | null>(null);
  const [copied, setCopied] = useDraft<Written[]>("journey.copied", []);
  const [past, setPast] = useState<Draft[]>([]);
  const [future, setFuture] = useState<Draft[]>([]);
  const draft = draftOf(journey);
  const running = useRef(false);

  async function write(next: Draft, chosen: string | undefined): Promise<Refusal | null> {
    if (running.current) return null;
    running.current = true;
    const { passos, entradaPasso } = next;
    const { data, refusal: why } = await change({ id: journey.id, input: { passos, ...(entradaPasso && { entradaPasso }) } });
    running.current = false;
    setRefusal(why);
    if (why) return why;
    const stored = data?.updateJourney?.id;
    if (stored && stored !== journey.id) {
      toast(t("becameVersion")); // somebody activated it meanwhile
      void navigate({ to: `/jornadas/${stored}` });
    } else choose(chosen);
    return null;
  }
  async function put(next: Draft, chosen: string | undefined): Promise<Refusal | null> {
    if (unreached(next).length) {
      setDoubt({ next, chosen });
      return null;
    }
    const why = await write(next, chosen);
    if (!why) {
      setPast((before) => [...before, draft].slice(-REMEMBERED));
      setFuture([]);
    }
    return why;
  }
  async function step(from: Draft[], setFrom: typeof setPast, setTo: typeof setPast) {
    const next = from.at(-1);
    if (!next || running.current || (await write(next, undefined))) return;
    setFrom((all) => all.slice(0, -1));
    setTo((all) => [...all, draft].slice(-REMEMBERED));
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

  const insert = (place: Place, piece: readonly Written[]) => {
    const { draft: next, first } = inserted(draft, place, piece);
    return put(next, first);
  };
  return {
    draft,
    busy,
    refusal,
    doubt: doubt && {
      gone: unreached(doubt.next),
      go: () => {
        setDoubt(null);
        void put(reachedOnly(doubt.next), doubt.chosen);
      },
      stay: () => setDoubt(null),
    },
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    copied: copied.length,
    undo,
    redo,
    change: (id, part) => put({ ...draft, passos: draft.passos.map((one) => (one.id === id ? changed(one, part) : one)) }, id),
    insert,
    connect: (place, to) => void put(connected(draft, place, to), place.from === ENTRY ? undefined : place.from),
    remove: (id) => void put(without(draft, id), undefined),
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
