// Sheets as people have them: separated by comma, semicolon or tab, with quotes, in UTF-8 or as Excel writes it in Brazil.

export interface Sheet {
  header: string[];
  rows: string[][];
  /** Of each row the number that a sheet program shows beside it: empty rows count. */
  lines: number[];
}

/** More would stop the page for minutes, and nobody maps so many columns. */
export const MAX_BYTES = 50_000_000;
export const MAX_COLUMNS = 200;

export async function readSheet(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes); // Excel's «Unicode text»
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Whether a file is a workbook, as Excel and others save it: those bytes are no text. */
export async function isWorkbook(file: Blob): Promise<boolean> {
  const [one, two, three] = new Uint8Array(await file.slice(0, 3).arrayBuffer());
  return (one === 0x50 && two === 0x4b && three === 0x03) || (one === 0xd0 && two === 0xcf && three === 0x11);
}

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const first = text.slice(0, text.search(/\r|\n|$/));
  const count = (one: string) => first.split(one).length;
  return [";", "\t", ","].reduce((best, one) => (count(one) > count(best) ? one : best), ",");
}

export function parseSheet(text: string): Sheet {
  const clean = text.replace(/^\uFEFF/, "");
  const separator = separatorOf(clean);
  const rows: string[][] = [];
  const lines: number[] = [];
  let line = 0;
  let row: string[] = [];
  let cell = "";
  let begun = false; // whether the cell has more than blanks
  const endCell = () => {
    row.push(cell.trim());
    cell = "";
    begun = false;
  };
  const endRow = () => {
    endCell();
    line += 1;
    if (row.some(Boolean)) {
      rows.push(row);
      lines.push(line);
    }
    row = [];
  };
  // In pieces, never a character at a time: a cell may have the size of the file.
  const next = new RegExp(`["${separator}\\r\\n]`, "g");
  for (let at = 0; at < clean.length; ) {
    next.lastIndex = at;
    const end = next.exec(clean)?.index ?? clean.length;
    const piece = clean.slice(at, end);
    cell += piece;
    begun ||= piece.trim() !== "";
    const one = clean[end];
    at = end + 1;
    if (one === '"') {
      const close = begun ? -1 : endOfQuoted(clean, at);
      if (close < 0) cell += one; // in the middle of a cell, or never closed: a character as any other
      else {
        cell = clean.slice(at, close).replaceAll('""', '"');
        at = close + 1;
      }
      begun = true;
    } else if (one === separator) endCell();
    else if (one !== undefined) {
      endRow();
      if (one === "\r" && clean[at] === "\n") at += 1;
    }
  }
  endRow();
  const [header = [], ...rest] = rows;
  return { header, rows: rest, lines: lines.slice(1) };
}

/** Where the quote closes a cell that begins here; two are one that does not. */
function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}

/** One cell as a sheet program reads it back, never as a formula. */
const cellOf = (value: string) => `"${(/^[=+\-@\t\r＝＋－＠]/.test(value) && !/^\+\d+$/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

export const writeSheet = (rows: string[][]): string => `\uFEFF${rows.map((row) => row.map(cellOf).join(";")).join("\r\n")}\r\n`;
