// What `graphql-codegen` does with the client preset, without its command line: types for the documents of a program.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { codegen } from "@graphql-codegen/core";
import { preset } from "@graphql-codegen/client-preset";
import { buildSchema, parse } from "graphql";

const [program, baseOutputDir = "codegen/"] = process.argv.slice(2);
const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
const texts = [...readFileSync(program, "utf8").matchAll(/graphql\(`([^`]*)`\)/g)].map((found) => found[1]);
const documents = texts.map((text) => ({ location: program, rawSDL: text, document: parse(text) }));
const made = await preset.buildGeneratesSection({
  baseOutputDir,
  config: {
    useTypeImports: true,
    emitLegacyCommonJSImports: false,
    importExtension: ".js",
    strictScalars: true,
    defaultScalarType: "unknown",
    scalars: { BigInt: "number", Date: "string", DateTime: "string", JSON: "unknown" },
  },
  presetConfig: {},
  plugins: [],
  pluginMap: {},
  schema: parse(readFileSync("schema.graphql", "utf8")),
  schemaAst: schema,
  documents,
});
mkdirSync(baseOutputDir, { recursive: true });
for (const one of made) writeFileSync(one.filename, await codegen(one));
