// Clients of the Model Context Protocol for tests: over HTTP and over standard input and output, and a store with the catalogue.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { needed } from "../support/needed.mjs";

const { Client } = await needed("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = await needed("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { StdioClientTransport } = await needed("@modelcontextprotocol/sdk/client/stdio.js");

async function connected(transport) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return client;
}

export function connect(daemon, secret) {
  const headers = secret ? { Authorization: `Bearer ${secret}` } : {};
  return connected(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit: { headers } }));
}

// Starts `costcurve mcp` with these options, as an agent does.
export function start(binary, database, options = []) {
  return connected(new StdioClientTransport({ command: binary, args: ["mcp", "--database", database, ...options], stderr: "inherit" }));
}

export const call = (client, name, given = {}) => client.callTool({ name, arguments: given });

// The answer of a call that works.
export async function answer(client, name, given) {
  const result = await call(client, name, given);
  assert.ok(!result.isError, `${name}: ${result.content[0].text.slice(0, 500)}`);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result;
}

export function store(binary, root, database) {
  const catalog = readdirSync(join(root, "deploy/catalog")).filter((name) => name.endsWith(".json"));
  execFileSync(binary, ["import", "json", "--database", database, ...catalog.map((name) => join(root, "deploy/catalog", name))],
    { stdio: ["ignore", "ignore", "inherit"] });
}
