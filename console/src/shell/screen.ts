import type { ComponentType } from "react";
import type { IconName } from "../ui/Icon";
import { loadOrReload } from "./reload";

/** A path under `/console`. */
export type Opened = `/${string}`;

export interface ScreenEntry {
  name: string;
  label: readonly [pt: string, en: string];
  icon: IconName;
  scope: string | null;
  routes: { path: Opened; load: () => Promise<{ default: ComponentType }> }[];
}

/** A line of the table of screens; the module has the components by name. */
export function screen<M extends Record<string, unknown>>(
  name: string,
  label: readonly [string, string],
  icon: IconName,
  scope: string | null,
  paths: Record<Opened, keyof M & string>,
  load: () => Promise<M>,
): ScreenEntry {
  return {
    name,
    label,
    icon,
    scope,
    routes: Object.entries(paths).map(([path, component]) => ({
      path: path as Opened,
      load: async () => ({ default: (await loadOrReload(load))[component as keyof M] as ComponentType }),
    })),
  };
}
