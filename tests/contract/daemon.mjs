// Starts the daemon on a database of its own, a file, or one of tests/support/postgres.py's server, and asks it. Knows no operations.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("COSTCURVE_")));

let databases = 0;

function databaseIn(folder) {
  const server = process.env.COSTCURVE_TEST_POSTGRES;
  if (!server) return join(folder, "contract.db");
  const name = `contract_${process.pid}_${++databases}`;
  execFileSync("psql", ["-X", "-q", "-d", server, "-c", `CREATE DATABASE ${name}`]);
  return server.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`); // URL takes none without a host
}

export class Daemon {
  #process;
  #folder;
  #database;
  #address;
  #agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

  // Resolves when it listens. `options` are added to those of `costcurve serve`; `keys` are roles to make a key of each; `store` is a file
  // that its own begins as a copy of.
  static async start(binary, options = [], keys = [], store = null) {
    const daemon = new Daemon();
    daemon.#folder = mkdtempSync(join(tmpdir(), "costcurve-contract-"));
    daemon.#database = databaseIn(daemon.#folder);
    if (store) copyFileSync(store, daemon.database);
    daemon.keys = Object.fromEntries(keys.map((role) => [role, daemon.#addKey(binary, role)]));
    daemon.#process = spawn(binary, ["serve", "--port", "0", "--database", daemon.database, "--log-level", "off", ...options],
      { stdio: ["ignore", "pipe", "inherit"], env: environment });
    const line = await new Promise((resolve, reject) => {
      let text = "";
      daemon.#process.stdout.on("data", (piece) => { text += piece; if (text.includes("\n")) resolve(text); });
      daemon.#process.on("exit", (status) => reject(new Error(`the daemon ended with ${status} before it listened: ${text}`)));
    });
    const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
    if (!found) throw new Error(`the first line names no address: ${line}`);
    daemon.#address = { host: "127.0.0.1", port: Number(found[1]) };
    return daemon;
  }

  get url() { return `http://${this.#address.host}:${this.#address.port}`; }
  get database() { return this.#database; }

  // Makes a key of the role and gives its secret.
  #addKey(binary, role) {
    const text = execFileSync(binary, ["keys", "add", role, "--role", role, "--database", this.database],
      { encoding: "utf8", env: environment });
    const secret = /cc_[\w-]+/.exec(text);
    if (!secret) throw new Error(`keys add shows no secret: ${text}`);
    return secret[0];
  }

  // {status, headers, body} of a request. An object as body is sent as JSON; text and buffers as they are.
  ask(method, path, { body, headers = {}, chunked = false } = {}) {
    const content = body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const all = { ...headers };
    if (content !== undefined) {
      if (!("Content-Type" in all)) all["Content-Type"] = "application/json";
      if (all["Content-Type"] === null) delete all["Content-Type"];
      if (chunked) all["Transfer-Encoding"] = "chunked"; else all["Content-Length"] = Buffer.byteLength(content);
    }
    return new Promise((resolve, reject) => {
      const request = http.request({ ...this.#address, agent: this.#agent, method, path, headers: all, timeout: 120000 });
      let answered = false;
      request.on("response", (response) => {
        answered = true;
        const pieces = [];
        response.on("data", (piece) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode, headers: response.headers,
          body: Buffer.concat(pieces).toString("utf8") }));
      });
      request.on("timeout", () => request.destroy(new Error(`${method} ${path}: no answer within 120 s`)));
      request.on("error", (error) => { if (!answered) reject(new Error(`${method} ${path}: ${error.message}`)); });
      request.end(content);
    });
  }

  async stop() {
    this.#agent.destroy();
    const ended = new Promise((resolve) => this.#process.on("exit", (status, signal) => resolve(status ?? signal)));
    if (this.#process.exitCode === null) this.#process.kill("SIGTERM");
    const status = this.#process.exitCode ?? await ended;
    rmSync(this.#folder, { recursive: true, force: true });
    return status;
  }
}
