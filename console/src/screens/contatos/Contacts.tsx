import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { ResultOf, VariablesOf } from "../../gateway/graphql";
import { usePages, useSettled } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Badge, Field, ScreenHead } from "../../ui/parts";
import { Empty } from "../../ui/states";
import { initials, onDate, phone, words } from "../../ui/format";
import { type Column, VirtualTable } from "../../ui/VirtualTable";
import { CONTACTS } from "./documents";
import { NewContact } from "./ContactForm";
import { SegmentDialog } from "./SegmentDialog";
import { TEXTS } from "./texts";
import "./contacts.css";

type Data = ResultOf<typeof CONTACTS>;
type Row = NonNullable<Data["contacts"]>["nodes"][number];
type Filter = NonNullable<VariablesOf<typeof CONTACTS>["filter"]>;

/** The filters are in the address: a list is shared by its link. */
interface Search {
  q?: string;
  tag?: string;
  consent?: string;
  source?: string;
  list?: string;
  segment?: string;
  order?: string;
}

const ORDERS = { newest: "CREATED_AT_DESC", changed: "UPDATED_AT_DESC", active: "LAST_INTERACTION_AT_DESC" } as const;

function filterOf(search: Search): Filter {
  return {
    ...(search.q && { q: search.q }),
    ...(search.tag && { tag: search.tag }),
    ...(search.consent && { optInStatus: search.consent as "GRANTED" }),
    ...(search.source && { source: search.source as "API" }),
    ...(search.list && { listId: search.list }),
    ...(search.segment && { segmentId: search.segment }),
  };
}

/** The filters as a segment says them; a search for a text and the source have no place there. */
function conditionsOf(search: Search) {
  return Object.entries({ tag: search.tag, optIn: search.consent?.toLowerCase(), list: search.list, segment: search.segment }).flatMap(
    ([field, value]) => (value ? [{ field, operator: "is", value }] : []),
  );
}

export function Contacts() {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [making, setMaking] = useState(false);
  const [filtering, setFiltering] = useState(false);
  const [naming, setNaming] = useState(false);
  const [offered, setOffered] = useState<{ lists: Named[]; segments: Named[] }>({ lists: [], segments: [] });
  const order = ORDERS[(search.order ?? "newest") as keyof typeof ORDERS] ?? ORDERS.newest;
  const pages = usePages(CONTACTS, { filter: filterOf(search), orderBy: order, entry: true }, (data: Data) => {
    if (data.lists || data.segments) {
      const lists = [...(data.lists?.nodes ?? [])];
      const segments = [...(data.segments?.nodes ?? [])];
      if (JSON.stringify({ lists, segments }) !== JSON.stringify(offered)) setOffered({ lists, segments });
    }
    return data.contacts;
  }, { entry: false });

  const put = (part: Search) => void navigate({ to: "/contatos", search: { ...search, ...part } as never, replace: true });
  const filters = Object.entries(search).filter(([name, value]) => value && name !== "order").length;
  const columns: Column<Row>[] = [
    {
      key: "name",
      label: t("name"),
      width: "minmax(0, 2.2fr)",
      phone: "title",
      cell: (row) => (
        <>
          <span className="avatar" aria-hidden="true">
            {initials(row.name)}
          </span>
          <span className="cut">{row.name ?? phone(row.phone)}</span>
        </>
      ),
    },
    { key: "phone", label: t("phone"), width: "minmax(0, 1.4fr)", phone: "below", cell: (row) => phone(row.phone) },
    { key: "consent", label: t("consent"), width: "120px", phone: "side", cell: (row) => <Badge of={row.optIn.status} /> },
    { key: "company", label: t("company"), width: "minmax(0, 1.3fr)", cell: (row) => row.company?.nome ?? "–" },
    { key: "tags", label: t("tags"), width: "minmax(0, 1.5fr)", cell: (row) => <Tags of={row.tags} /> },
    { key: "created", label: t("created"), width: "136px", cell: (row) => onDate(row.createdAt) },
  ];

  return (
    <div className="screen">
      <ScreenHead title={t("title")}>
        {may("contacts:write") && (
          <>
            <Link to="/contatos/importar" className="button">
              <Icon name="upload" size={17} /> {t("importContacts")}
            </Link>
            <button type="button" className="button main" onClick={() => setMaking(true)}>
              <Icon name="plus" size={17} /> {t("create")}
            </button>
          </>
        )}
      </ScreenHead>
      <div className="sieve">
        <SearchField value={search.q ?? ""} label={t("search")} change={(q) => put({ q })} />
        <button type="button" className="button" aria-expanded={filtering} aria-controls="filters" onClick={() => setFiltering(!filtering)}>
          <Icon name="filter" size={17} /> {t("filters")} {filters > 0 && <span className="badge good">{filters}</span>}
        </button>
      </div>
      {(filtering || filters > (search.q ? 1 : 0)) && (
        <div className="filters card" id="filters">
          <TagField value={search.tag ?? ""} change={(tag) => put({ tag })} />
          <Choice label={t("consent")} value={search.consent} all={["GRANTED", "DENIED", "UNKNOWN"].map(asNamed)} change={(consent) => put({ consent })} />
          <Choice label={t("source")} value={search.source} all={["MANUAL", "IMPORT", "API", "WEBHOOK"].map(asNamed)} change={(source) => put({ source })} />
          <Choice label={t("list")} value={search.list} all={offered.lists} change={(list) => put({ list })} />
          <Choice label={t("segment")} value={search.segment} all={offered.segments} change={(segment) => put({ segment })} />
          <Choice
            label={t("order")}
            value={search.order}
            first={t("newest")}
            all={(["changed", "active"] as const).map((id) => ({ id, name: t(id) }))}
            change={(value) => put({ order: value })}
          />
          <button type="button" className="button" onClick={() => void navigate({ to: "/contatos", search: {} as never, replace: true })}>
            {t("clear")}
          </button>
          {may("contacts:write") && (
            <button type="button" className="button" title={search.q || search.source ? t("notInSegment") : undefined} onClick={() => setNaming(true)}>
              {t("saveSegment")}
            </button>
          )}
        </div>
      )}
      {pages.warnings.some((one) => one.includes("pii_full")) && <p className="notice">{t("noQ")}</p>}
      <VirtualTable
        label={t("title")}
        pages={pages}
        columns={columns}
        to={(row) => `/contatos/${row.id}`}
        empty={
          <Empty icon="people" title={t(filters ? "noFit" : "none")}>
            <p>{t(filters ? "noFitSentence" : "noneSentence")}</p>
          </Empty>
        }
      />
      {naming && (
        <SegmentDialog
          from={conditionsOf(search)}
          close={() => setNaming(false)}
          made={(segment) => {
            setNaming(false);
            pages.again();
            void navigate({ to: "/contatos", search: { segment } as never });
          }}
        />
      )}
      {making && <NewContact close={() => setMaking(false)} made={(id) => void navigate({ to: `/contatos/${id}` })} />}
    </div>
  );
}

interface Named {
  id: string;
  name: string;
}

const asNamed = (id: string): Named => ({ id, name: words(id) });

export function Tags({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((tag) => (
        <span className="tag" key={tag}>
          {tag}
        </span>
      ))}
    </>
  );
}

/** Asks once the typing has rested. */
function SearchField({ value, label, change }: { value: string; label: string; change: (value: string) => void }) {
  const [text, setText] = useState(value);
  const settled = useSettled(text.trim(), 300);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (settled !== value && settled === text.trim()) change(settled);
  }, [settled]);
  return (
    <input type="search" aria-label={label} placeholder={label} value={text} onChange={(event) => setText(event.target.value)} autoComplete="off" spellCheck={false} />
  );
}

function TagField({ value, change }: { value: string; change: (value: string) => void }) {
  const t = useTexts(TEXTS);
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <Field label={t("tag")}>
      {(props) => (
        <input
          {...props}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => text.trim() !== value && change(text.trim())}
          onKeyDown={(event) => event.key === "Enter" && change(text.trim())}
        />
      )}
    </Field>
  );
}

function Choice({
  label,
  value,
  all,
  first,
  change,
}: {
  label: string;
  value: string | undefined;
  all: Named[];
  first?: string;
  change: (value: string) => void;
}) {
  const t = useTexts(TEXTS);
  return (
    <Field label={label}>
      {(props) => (
        <select {...props} value={value ?? ""} onChange={(event) => change(event.target.value)}>
          <option value="">{first ?? t("any")}</option>
          {all.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
