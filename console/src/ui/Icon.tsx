const PATHS = {
  home: "M3 11 12 4l9 7M5.5 9.5V20h13V9.5M10 20v-5h4v5",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.6-3.6 3.2-5.5 6.5-5.5s5.9 1.9 6.5 5.5M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.9c2 .8 3.2 2.6 3.5 5.1",
  chat: "M4 5h16v11H9l-5 4V5Z",
  send: "M20.5 3.5 3.5 10l7 3.5 3.5 7 6.5-17ZM10.5 13.5l4.5-4.5",
  deal: "M4 6h5v13H4zM10.5 6h4v9h-4zM16 6h4v6h-4z",
  journey: "M6 5.5a2 2 0 1 0 0 .1M18 11.5a2 2 0 1 0 0 .1M6 18.5a2 2 0 1 0 0 .1M8 6h5a3 3 0 0 1 3 3v1M8 18h5a3 3 0 0 0 3-3v-1",
  wallet: "M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7Zm0 0 11-3v3M16.5 13.5h.1",
  code: "m8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14",
  team: "M12 8a2.5 2.5 0 1 0 0-.1M5 10a2 2 0 1 0 0-.1M19 10a2 2 0 1 0 0-.1M7.5 19c.4-3 2-4.5 4.5-4.5s4.1 1.5 4.5 4.5M2.5 17c.2-2 1-3.2 2.5-3.7M21.5 17c-.2-2-1-3.2-2.5-3.7",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20",
  more: "M5 12h.1M12 12h.1M19 12h.1",
  close: "M6 6l12 12M18 6 6 18",
  filter: "M4 6h16M7 12h10M10 18h4",
  plus: "M12 5v14M5 12h14",
  back: "M14 6l-6 6 6 6",
  next: "M10 6l6 6-6 6",
  down: "M6 10l6 6 6-6",
  alert: "M12 4 2.5 20h19L12 4Zm0 6v5M12 17.5v.1",
  offline: "M4 4l16 16M8.5 8.8A6 6 0 0 0 6 11M3 8.5c1-.9 2-1.7 3.2-2.3M12 6c3.5 0 6.6 1.2 9 3.3M15 11.5c1 .5 1.9 1.1 2.7 1.9M12 18h.1",
  clock: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM12 8v4.5l3 1.7",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  check: "m5 12.5 4.5 4.5L19 7.5",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  star: "m12 4 2.4 5 5.6.8-4 3.9.9 5.5L12 16.6l-4.9 2.6.9-5.5-4-3.9 5.6-.8L12 4Z",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15L6 17ZM10.5 20.5h3",
  consent: "M12 3.5 5 6v6c0 4.2 2.9 7 7 8.5 4.1-1.5 7-4.3 7-8.5V6l-7-2.5ZM9 12l2.2 2.2L15.2 10",
  upload: "M12 16V5M7.5 9 12 4.5 16.5 9M5 19.5h14",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  edit: "M5 19l1-4L16 5l3 3L9 18l-4 1Z",
  file: "M7 3.5h7l4 4v13H7v-17ZM14 3.5v4h4",
  out: "M14 5H6v14h8M11 12h9M17 9l3 3-3 3",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
