#!/usr/bin/env node
// Runs a program for wasm32-wasip1 with the WASI of Node.js. `dev/ci/wasi` calls it:
//     node dev/ci/wasi.mjs PROGRAM [ARGUMENT…]
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...args], env: process.env, preopens: { "/": "/", ".": "." } });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
