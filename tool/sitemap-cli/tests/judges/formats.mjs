// Reads the output of `sitemap check` with programs of others. `dev/ci/formats` installs them.
//     SITEMAP_FORMATS=FOLDER node formats.mjs sarif|github|markdown < INPUT
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.env.SITEMAP_FORMATS;
const require = createRequire(path.join(folder, "package.json"));
const input = fs.readFileSync(0, "utf8");

const judges = {
  // Validates a SARIF log against the schema, and prints the errors.
  sarif() {
    const Ajv = require("ajv").default;
    const addFormats = require("ajv-formats").default;
    const schemas = path.join(folder, "node_modules/@microsoft/jest-sarif/lib/schemas");
    const schema = JSON.parse(fs.readFileSync(path.join(schemas, "sarif-2.1.0-rtm.5.json"), "utf8"));
    // Ajv reads draft 7, which differs from the draft 4 of this schema in the keyword `id` only. A pattern of the
    // schema is not valid as a Unicode pattern.
    delete schema.$schema;
    delete schema.id;
    const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
    addFormats(ajv);
    const validate = ajv.compile(schema);
    if (!validate(JSON.parse(input))) {
      for (const error of validate.errors) console.log(`${error.instancePath}: ${error.message}`);
    }
  },

  // Prints the annotations that GitHub's toolkit writes for `[level, message, properties]`.
  async github() {
    const core = await import(pathToFileURL(path.join(folder, "node_modules/@actions/core/lib/core.js")));
    for (const [level, message, properties] of JSON.parse(input)) core[level](message, properties);
  },

  // Prints the cells of the tables, one line for each row, and then all links.
  async markdown() {
    const loaded = require("markdown-it");
    const MarkdownIt = loaded.default ?? loaded;
    const tokens = new MarkdownIt({ linkify: true, html: true }).parse(input, {});
    const inlines = tokens.filter((token) => token.type === "inline" || token.type === "tr_close");
    const text = (token) => token.children.filter((child) => !child.type.startsWith("link_"));
    let cells = [];
    let inTable = false;
    for (const token of tokens) {
      if (token.type === "table_open") inTable = true;
      if (token.type === "table_close") inTable = false;
      if (token.type === "tr_close") {
        console.log(cells.join(" | "));
        cells = [];
      }
      if (inTable && token.type === "inline") {
        const kinds = text(token).filter((child) => !child.type.startsWith("text"));
        const content = text(token).map((child) => child.content).join("");
        cells.push(kinds.length === 0 ? content : `${kinds.map((kind) => kind.type)}: ${content}`);
      }
    }
    for (const token of inlines.filter((token) => token.children)) {
      for (const child of token.children) if (child.type === "link_open") console.log(child.attrGet("href"));
    }
  },
};

await judges[process.argv[2]]();
