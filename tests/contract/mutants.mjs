// Bad variants of a good value, one fault each, made from its schema: wrong types, missing and unknown members, values
// beyond their limits. Knows no operations.

// What was tried of one operation. A component of the description (an offer, a scenario) stands in the bodies of many:
// `shared` holds its faults that any operation has tried. Each operation still tries every fault of its own, one in each
// component, and one of each kind. Without `shared` it tries them all.
export class Tried {
  known = new Set(); // kind and place of each fault, sent or left to another operation
  #components = new Set();
  #kinds = new Set();

  constructor(shared) { this.shared = shared; }

  #inComponent(place) { return place.slice(place.lastIndexOf("{")); }

  isNew(kind, place) {
    if (this.known.has(kind + place)) return false;
    const inside = this.#inComponent(place);
    if (!this.shared?.has(kind + inside)) return true;
    this.known.add(kind + place);
    return !this.#components.has(inside.split("}")[0]) || !this.#kinds.has(kindOf(kind));
  }

  add(kind, place) {
    const inside = this.#inComponent(place);
    this.known.add(kind + place);
    this.shared?.add(kind + inside);
    this.#components.add(inside.split("}")[0]);
    this.#kinds.add(kindOf(kind));
  }
}

// "no id" and "no name" are one kind.
const kindOf = (kind) => kind.startsWith("no ") ? "no member" : kind.endsWith(", of another kind,") ? "of another kind" : kind;

// Yields {why, value} for every place and kind of fault that is new to `tried`; adds them to it.
export function* mutants(description, schema, good, tried) {
  const check = description.validator(schema);
  for (const [why, place, change] of faults(description, schema, good, "", "")) {
    const kind = why.split(" at ")[0];
    if (!tried.isNew(kind, place)) continue;
    const value = change(good);
    if (check(value)) continue; // not a fault by the schema after all
    tried.add(kind, place);
    yield { why, value };
  }
}

const replaced = (bad) => () => bad;
// Changes one member, which is `content` where the value does not have it.
const at = (name, change, content) => (value) => {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[name] = change(name in value ? value[name] : content);
  return copy;
};
const without = (name) => (value) => { const { [name]: _gone, ...rest } = value; return rest; };
const withMember = (name, content) => (value) => ({ ...value, [name]: content });

const kWrong = [["null", null], ["a flag", true], ["a number", 7.25], ["a text", "No Such Text!"], ["an array", [[]]],
  ["an object", { no_such_field: 1 }]];
const kWrongTypes = new WeakMap(); // by schema

// Those of kWrong that a schema does not take.
function wrongTypes(description, schema) {
  if (!kWrongTypes.has(schema)) {
    const check = description.validator(schema);
    kWrongTypes.set(schema, kWrong.filter(([, bad]) => !check(bad)));
  }
  return kWrongTypes.get(schema);
}

// [why, place in the schema, change]; the change makes a bad value of a good one. A place has the names of the components that it
// is in, in braces.
function* faults(description, schema, value, pointer, place) {
  const resolved = description.resolve(schema, value);
  const where = pointer === "" ? " at the root" : ` at ${pointer}`;
  for (const [name, bad] of wrongTypes(description, schema)) yield [`${name}${where}`, place, replaced(bad)];
  const component = description.nameOf(resolved);
  if (component) place += `{${component}}`;
  if (typeof value === "number") yield* faultsOfNumber(resolved, where, place);
  if (typeof value === "string") yield* faultsOfText(resolved, where, place);
  if (Array.isArray(value)) yield* faultsOfArray(description, resolved, value, pointer, where, place);
  else if (value !== null && typeof value === "object") yield* faultsOfObject(description, resolved, value, pointer, where, place);
}

function* faultsOfNumber(schema, where, place) {
  const step = (limit) => schema.type === "integer" ? 1 : Math.max(1e-6, Math.abs(limit) * 1e-6); // just beyond: limits are exact
  if ("minimum" in schema) yield [`below the minimum${where}`, place, replaced(schema.minimum - step(schema.minimum))];
  if ("exclusiveMinimum" in schema) yield [`at the exclusive minimum${where}`, place, replaced(schema.exclusiveMinimum)];
  if ("maximum" in schema) yield [`above the maximum${where}`, place, replaced(schema.maximum + step(schema.maximum))];
  if (schema.type === "integer") yield [`a fraction${where}`, place, (value) => value + 0.5];
}

function* faultsOfText(schema, where, place) {
  yield [`an empty text${where}`, place, replaced("")];
  yield [`characters of all kinds${where}`, place, replaced("\u0000 é \u{1F600} ../ %00 '\"")];
  if ("maxLength" in schema) yield [`too long${where}`, place, replaced("x".repeat(schema.maxLength + 1))];
}

function* faultsOfArray(description, schema, value, pointer, where, place) {
  if (schema.minItems) yield [`no items${where}`, place, replaced([])];
  if (schema.maxItems <= 1000) yield [`too many items${where}`, place, () => Array(schema.maxItems + 1).fill(value[0])];
  for (const [i, item] of value.slice(0, 3).entries()) {
    const part = schema.prefixItems?.[i] ?? schema.items;
    if (part) yield* inside(description, part, item, i, pointer, `${place}/[${schema.prefixItems ? i : ""}]`);
  }
}

function* faultsOfObject(description, schema, value, pointer, where, place) {
  for (const name of schema.required ?? []) yield [`no ${name}${where}`, place, without(name)];
  if (schema.additionalProperties === false) yield [`an unknown member${where}`, place, withMember("no_such_field", 1)];
  if (schema.propertyNames) yield [`a wrong name${where}`, place, withMember("No Such Name!", 1)];
  const then = caseOf(description, schema, value);
  for (const name of then.required ?? []) yield [`no ${name}${where}`, `${place}?`, without(name)];
  const refused = Object.keys(then.properties ?? {}).filter((name) => then.properties[name] === false);
  for (const name of refused) yield [`${name}, of another kind,${where}`, `${place}?`, withMember(name, 1)];
  for (const [name, content] of Object.entries(value)) {
    const part = schema.properties?.[name] ?? schema.additionalProperties;
    if (part && typeof part === "object") {
      yield* inside(description, part, content, name, pointer, `${place}/${schema.properties?.[name] ? name : "*"}`);
    }
  }
  // Members that the good value does not have, with a good one put in their place.
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    if (name in value || refused.includes(name)) continue;
    const content = goodValue(description, part);
    if (content !== undefined) yield* inside(description, part, content, name, pointer, `${place}/${name}`);
  }
}

// What the chain of if, then and else says of the value.
function caseOf(description, schema, value) {
  for (let row = schema; row?.if; row = row.else) {
    if (description.validator({ type: "object", ...row.if })(value)) return row.then;
  }
  return {};
}

const kTexts = ["a", "USD", "2026-01", "2026-01-01", "2026-01-01T00:00:00Z"];

const kGoodValues = new WeakMap(); // by schema

// A value that fits the schema; undefined where none is found.
function goodValue(description, schema) {
  if (!kGoodValues.has(schema)) kGoodValues.set(schema, findGoodValue(description, schema));
  return kGoodValues.get(schema);
}

function findGoodValue(description, schema) {
  const resolved = description.resolve(schema, undefined);
  const fits = description.validator(schema);
  const required = Object.entries(resolved.properties ?? {}).filter(([name]) => resolved.required?.includes(name));
  const { enum: words = [], minimum, maximum } = resolved;
  const candidates = [resolved.default, resolved.const, ...words, ...kTexts, minimum, maximum, true];
  if (resolved.oneOf) candidates.push(...resolved.oneOf.map((choice) => goodValue(description, choice)));
  if (resolved.items) candidates.push([goodValue(description, resolved.items)]);
  if (resolved.type === "object") {
    candidates.push(Object.fromEntries(required.map(([name, part]) => [name, goodValue(description, part)])));
  }
  return candidates.find((candidate) => candidate !== undefined && fits(candidate));
}

function* inside(description, part, content, name, pointer, place) {
  for (const [why, deeper, change] of faults(description, part, content, `${pointer}/${name}`, place)) {
    yield [why, deeper, at(name, change, content)];
  }
}
