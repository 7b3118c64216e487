// Sheets as people have them: separated by comma, semicolon or tab, with quotes, in UTF-8 or as Excel writes it in Brazil.

export interface Sheet {
  header: string[];
  rows: string[][];
  /** Of each row the number that a sheet program shows beside it: empty rows count. */
  lines: number[];
}

export async function readSheet(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes); // Excel's «Unicode text»
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
  let quoted = false;
  const endCell = () => {
    row.push(cell.trim());
    cell = "";
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
  for (let at = 0; at < clean.length; at += 1) {
    const one = clean[at]!;
    if (quoted) {
      if (one !== '"') cell += one;
      else if (clean[at + 1] === '"') cell += clean[(at += 1)];
      else quoted = false;
    } else if (one === '"' && !cell.trim()) {
      cell = "";
      quoted = true;
    } else if (one === separator) endCell();
    else if (one === "\n") endRow();
    else if (one !== "\r") cell += one;
  }
  endRow();
  const [header = [], ...rest] = rows;
  return { header, rows: rest, lines: lines.slice(1) };
}

/** One cell as a sheet program reads it back, never as a formula. */
const cellOf = (value: string) => `"${(/^[=+\-@\t]/.test(value) && !/^\+\d+$/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

export const writeSheet = (rows: string[][]): string => `\uFEFF${rows.map((row) => row.map(cellOf).join(";")).join("\r\n")}\r\n`;
