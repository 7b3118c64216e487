// Builds the console into the folder that the service serves: `node scripts/build.mjs [folder]`. The same sources and
// lockfile make the same bytes; nothing of the machine or the time goes in.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, createServer } from "vite";

const HERE = join(dirname(fileURLToPath(import.meta.url)), "..");
const REPOSITORY = join(HERE, "..");
const out = process.argv[2] ?? join(REPOSITORY, "rest_api/console/static");

process.env.NODE_ENV = "production";
process.chdir(HERE);

const result = await build({ build: { outDir: out }, logLevel: "warn" });
const chunks = (Array.isArray(result) ? result[0] : result).output;

await writeDocuments();
writeLicences();
obey(JSON.parse(readFileSync("budget.json", "utf8")));
writeManifest();

/** Every operation by the SHA-256 under which the console asks for it. */
async function writeDocuments() {
  const server = await createServer({ server: { middlewareMode: true, ws: false, watch: null }, optimizeDeps: { noDiscovery: true }, appType: "custom", logLevel: "error" });
  const { formatDocument, stringifyDocument } = await import("@urql/core");
  const documents = {};
  const names = new Map();
  for (const file of filesOf("src").sort()) {
    if (!/\/documents\.ts$/.test(file)) {
      if (/\bgraphql\(/.test(readFileSync(file, "utf8"))) throw new Error(`${file}: documents stand in documents.ts`);
      continue;
    }
    const loaded = await server.ssrLoadModule(`/${file}`);
    for (const one of Object.values(loaded)) {
      const operation = one?.kind === "Document" && one.definitions.find((part) => part.kind === "OperationDefinition");
      if (!operation) continue;
      const name = operation.name.value;
      if (names.has(name)) throw new Error(`two operations are called ${name}: ${names.get(name)} and ${file}`);
      names.set(name, file);
      const text = stringifyDocument(formatDocument(one));
      documents[createHash("sha256").update(text).digest("hex")] = text;
    }
  }
  await server.close();
  writeFileSync(join(out, "documents.json"), `${JSON.stringify(documents, Object.keys(documents).sort(), 1)}\n`);
}

/** The licence of every package that has a byte in the build. */
function writeLicences() {
  const packages = new Set();
  for (const chunk of chunks) {
    for (const id of Object.keys(chunk.modules ?? {})) {
      const found = id.replace(/^\0/, "").match(/^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//);
      if (found) packages.add(found[1]);
    }
  }
  const texts = [...packages]
    .map((folder) => ({ folder, about: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
    .sort((one, other) => (one.about.name < other.about.name ? -1 : 1))
    .map(({ folder, about }) => {
      const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name));
      const text = file ? readFileSync(join(folder, file), "utf8").trim() : `(its package names the licence ${about.license})`;
      return `${about.name} ${about.version} – ${about.license}\n\n${text.replaceAll("\r\n", "\n")}\n`;
    });
  writeFileSync(join(out, "THIRD_PARTY_LICENSES.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
}

/** `budget.json`: how many bytes, compressed, may be loaded first and in each part. */
function obey(budget) {
  const sizeOf = (name) => gzipSync(readFileSync(join(out, name)), { level: 9 }).length;
  const first = new Set();
  const styles = new Set();
  const follow = (name) => {
    const chunk = chunks.find((one) => one.fileName === name);
    if (!chunk || first.has(name)) return;
    first.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
    chunk.imports.forEach(follow);
  };
  chunks.filter((one) => one.isEntry).forEach((one) => follow(one.fileName));
  for (const one of chunks) for (const style of one.viteMetadata?.importedCss ?? []) styles.add(style);
  const sum = (names) => [...names].reduce((total, name) => total + sizeOf(name), 0);
  const measured = { "first load, script": [sum(first), budget.firstLoad.script], "styles, all": [sum(styles), budget.firstLoad.styles] };
  for (const one of chunks.filter((part) => part.type === "chunk" && !first.has(part.fileName))) {
    measured[`part ${one.name}`] = [sizeOf(one.fileName), budget.parts[one.name] ?? budget.parts["*"]];
  }
  for (const [name, [size, most]] of Object.entries(measured)) {
    console.log(`${String(size).padStart(8)} of ${String(most).padStart(7)} bytes  ${name}`);
  }
  const over = Object.entries(measured).filter(([, [size, most]]) => size > most);
  if (over.length) {
    console.error(`over budget.json: ${over.map(([name]) => name).join(", ")}`);
    process.exit(1);
  }
}

/** Binds what was built to what it was built of; read without Node by tests/rest_api/test_console_build.py. */
function writeManifest() {
  const digestOf = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
  const sources = [...filesOf("src"), ...filesOf("scripts"), ...readdirSync(".").filter((name) => statSync(name).isFile())]
    .filter((name) => !["src/graphql-env.d.ts", ".gitignore", "README.md"].includes(name))
    .sort();
  const outputs = filesOf(out).map((name) => relative(out, name)).filter((name) => name !== "manifest.json").sort();
  const manifest = {
    sources: Object.fromEntries(sources.map((name) => [name, digestOf(name)])),
    outputs: Object.fromEntries(outputs.map((name) => [name, digestOf(join(out, name))])),
  };
  writeFileSync(join(out, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
}
