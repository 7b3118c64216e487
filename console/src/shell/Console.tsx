import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { Provider } from "urql";
import { clientOf } from "../gateway/client";
import { isOpen, session, type Session } from "../gateway/session";
import { useStore } from "../gateway/store";
import { Toasts } from "../ui/parts";
import { LogIn } from "./LogIn";
import { router } from "./router";

/** The whole page: the way in, or the shell with a screen in it. */
export function Console() {
  const state = useStore(session);
  if (state === "starting") return null;
  return (
    <>
      {isOpen(state) ? <Inside key={`${state.account.id} ${state.env}`} opened={state} /> : <LogIn after={state} />}
      <Toasts />
    </>
  );
}

/** Made anew for each log-in: nothing of the one before is left in its cache. */
function Inside({ opened }: { opened: Session }) {
  const { client, close } = useMemo(() => clientOf(opened), []);
  useEffect(() => close, [close]);
  return (
    <Provider value={client}>
      <RouterProvider router={router} />
    </Provider>
  );
}
