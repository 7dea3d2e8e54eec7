// The description as things to call and checks of answers: every schema compiled in strict mode. Sends nothing.
import { needed } from "../support/needed.mjs";

const { default: Ajv } = await needed("ajv/dist/2020.js");
const { default: addFormats } = await needed("ajv-formats");

const kMethods = ["get", "put", "post", "delete", "patch"];

export class Description {
  constructor(text) {
    // Every reference becomes absolute, so that any part of a schema can be compiled alone.
    const document = JSON.parse(text);
    this.components = document.components;
    const absolute = JSON.parse(text.replaceAll('"#/components/schemas/', '"description#/$defs/'));
    this.schemas = absolute.components.schemas;
    this.ajv = new Ajv.default({ strict: true, strictRequired: false, allErrors: false, validateFormats: true,
      code: { optimize: false } }); // most are called a few times: what it optimizes is less than what it takes
    addFormats.default(this.ajv);
    for (const keyword of new Set(text.match(/"x-[a-z-]+"(?=:)/g))) this.ajv.addKeyword(JSON.parse(keyword));
    this.ajv.addSchema({ $id: "description", $defs: this.schemas });
    this.compiled = new Map();
    this.known = new WeakMap();
    this.resolved = new WeakMap();
    this.names = new WeakMap();
    for (const name of Object.keys(this.schemas)) this.validator({ $ref: `description#/$defs/${name}` });
    this.operations = [];
    for (const [path, item] of Object.entries(absolute.paths)) {
      for (const method of kMethods.filter((name) => name in item)) {
        this.operations.push(this.#operation(method.toUpperCase(), path, item[method], absolute.components));
      }
    }
  }

  #operation(method, path, item, components) {
    const responses = {};
    for (const [status, response] of Object.entries(item.responses)) {
      const found = response.$ref ? components.responses[response.$ref.split("/").pop()] : response;
      const headers = Object.entries(found.headers ?? {}).map(([name, header]) =>
        [name, header.$ref ? components.headers[header.$ref.split("/").pop()] : header]);
      headers.forEach(([, header]) => this.validator(header.schema));
      Object.values(found.content ?? {}).forEach((content) => this.validator(content.schema));
      responses[status] = { headers, content: found.content ?? {} };
    }
    const parameters = item.parameters ?? [];
    parameters.forEach((parameter) => this.validator(parameter.schema));
    const body = item.requestBody?.content["application/json"]?.schema;
    if (body) this.validator(body);
    return { id: item.operationId, method, path, role: item["x-role"], parameters, body, responses, successes: 0,
      seen: new Set() };
  }

  // The check of a schema, compiled once.
  validator(schema) {
    if (this.known.has(schema)) return this.known.get(schema);
    const key = JSON.stringify(schema);
    if (!this.compiled.has(key)) this.compiled.set(key, this.ajv.compile(schema));
    this.known.set(schema, this.compiled.get(key));
    return this.compiled.get(key);
  }

  // The schema without references, and the one of its alternatives that fits the value.
  resolve(schema, value) {
    for (let name;;) {
      if (schema.$ref) {
        name = schema.$ref;
        schema = this.#referred(schema);
      } else if (schema.oneOf) {
        const fitting = schema.oneOf.find((choice) => this.validator(choice)(value));
        if (!fitting) return schema;
        schema = fitting;
      } else {
        if (name) this.names.set(schema, name);
        return schema;
      }
    }
  }

  #referred(schema) {
    if (!this.resolved.has(schema)) {
      const { $ref, ...rest } = schema;
      this.resolved.set(schema, { ...rest, ...this.schemas[$ref.split("/").pop()] });
    }
    return this.resolved.get(schema);
  }

  // The reference by which a resolved schema was found; undefined where there is none.
  nameOf(resolved) { return this.names.get(resolved); }

  // What is wrong with an answer of the operation: texts, none where it is as described.
  faults(operation, answer) {
    operation.seen.add(String(answer.status));
    const described = operation.responses[answer.status];
    if (!described) return [`status ${answer.status} is not described: ${answer.body.slice(0, 300)}`];
    const faults = [];
    for (const [name, header] of described.headers) {
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) {
        if (header.required) faults.push(`${answer.status} has no header ${name}`);
      } else if (!this.validator(header.schema)(value)) {
        faults.push(`${answer.status}: ${name}: ${value} is not as described`);
      }
    }
    return faults.concat(this.#faultsOfBody(described, answer));
  }

  #faultsOfBody(described, answer) {
    const types = Object.keys(described.content);
    const type = (answer.headers["content-type"] ?? "").split(";")[0];
    if (types.length === 0) return answer.body === "" ? [] : [`${answer.status} has a body; none is described`];
    if (!types.includes(type)) return [`${answer.status} is ${type || "of no type"}; described: ${types.join(", ")}`];
    const check = this.validator(described.content[type].schema);
    const faults = [];
    for (const value of valuesOf(type, answer.body, faults)) {
      if (!check(value)) faults.push(`${answer.status}: the body breaks its schema: ${this.ajv.errorsText(check.errors)}`);
      if (type === "application/problem+json" && value.status !== answer.status) {
        faults.push(`${answer.status}: the body says status ${value.status}`);
      }
    }
    return faults;
  }
}

// The values in a body: one, or one a line.
export function valuesOf(type, body, faults = []) {
  if (type.startsWith("text/")) return [body];
  const texts = type === "application/x-ndjson" ? body.split("\n").slice(0, -1) : [body];
  if (type === "application/x-ndjson" && (!body.endsWith("\n") || texts.length === 0)) faults.push("the last line has no end");
  const values = [];
  for (const text of texts) {
    try {
      values.push(JSON.parse(text));
    } catch (error) {
      faults.push(`no JSON: ${error.message}: ${text.slice(0, 200)}`);
    }
  }
  return values;
}
