import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef } from "react";
import type { Pages } from "../gateway/read";
import { number } from "./format";
import { texts, useTexts } from "./language";
import { Bones, Failed } from "./states";
import "./table.css";

const TEXTS = texts({
  shown: ["{shown} de {total}", "{shown} of {total}"],
  loading: ["Carregando mais…", "Loading more…"],
});

const ROW = 52;
const AHEAD = 30;

export interface Column<N> {
  key: string;
  label: string;
  /** A track of a CSS grid: "2fr", "120px". */
  width: string;
  /** On a phone a row has two lines; columns without a place are left out. */
  phone?: "title" | "side" | "below";
  cell: (row: N) => ReactNode;
}

/** A table of any length: only the rows in sight exist, and more are read as one scrolls. */
export function VirtualTable<N extends { id: string }>({
  label,
  pages,
  columns,
  to,
  empty,
}: {
  label: string;
  pages: Pages<N>;
  columns: Column<N>[];
  /** Where a row leads; the first column is the link. */
  to?: (row: N) => string;
  empty: ReactNode;
}) {
  const t = useTexts(TEXTS);
  const frame = useRef<HTMLDivElement>(null);
  const { rows, more, next } = pages;
  // The same function for the same rows: with another one, every row would be measured anew in each frame.
  const keyOf = useCallback((at: number) => rows[at]?.id ?? at, [rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 12,
    getItemKey: keyOf,
  });
  const items = virtual.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && lastSeen >= rows.length - AHEAD) next();
  }, [lastSeen, more, rows.length, pages.state]);

  if (pages.state === "failed" && !rows.length && pages.refusal) return <Failed refusal={pages.refusal} again={pages.again} />;
  if (pages.state === "loading" && !rows.length) {
    return (
      <div className="table-frame card">
        <div className="inside">
          <Bones lines={9} />
        </div>
      </div>
    );
  }
  if (!rows.length) return <div className="card">{empty}</div>;

  const tracks = { "--tracks": columns.map((one) => one.width).join(" ") } as CSSProperties;
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10 }[event.key];
    const here = (event.target as HTMLElement).closest<HTMLElement>("[data-at]");
    if (!step || !here) return;
    event.preventDefault();
    const at = Math.min(rows.length - 1, Math.max(0, Number(here.dataset["at"]) + step));
    virtual.scrollToIndex(at);
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-at="${at}"] a`)?.focus());
  };
  return (
    <div className="table-frame card">
      <div role="table" aria-label={label} aria-rowcount={(pages.total ?? rows.length) + 1} style={tracks} className="table">
        <div role="rowgroup">
          <div role="row" className="table-row table-head">
            {columns.map((one) => (
              <span role="columnheader" key={one.key} data-phone={one.phone ?? "none"}>
                {one.label}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="table-body" ref={frame} onKeyDown={move} tabIndex={0} aria-label={label}>
          <div role="none" style={{ height: virtual.getTotalSize(), position: "relative" }}>
            {items.map((item) => {
              const row = rows[item.index]!;
              return (
                <div
                  role="row"
                  key={item.key}
                  data-at={item.index}
                  aria-rowindex={item.index + 2}
                  className="table-row"
                  style={{ position: "absolute", insetInline: 0, height: ROW, transform: `translateY(${item.start}px)` }}
                >
                  {columns.map((one, at) => (
                    <span role="cell" key={one.key} data-phone={one.phone ?? "none"}>
                      {at === 0 && to ? (
                        <Link to={to(row)} className="table-link">
                          {one.cell(row)}
                        </Link>
                      ) : (
                        one.cell(row)
                      )}
                    </span>
                  ))}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      <div className="table-foot quiet" role="status">
        {pages.state === "failed" && pages.refusal ? (
          <button type="button" className="link" onClick={pages.again}>
            {pages.refusal.sentence || "…"}
          </button>
        ) : (
          <span>{t("shown", { shown: number(rows.length), total: number(pages.total ?? rows.length) })}</span>
        )}
        {more && pages.state === "there" && lastSeen >= rows.length - AHEAD && <span>{t("loading")}</span>}
      </div>
    </div>
  );
}
