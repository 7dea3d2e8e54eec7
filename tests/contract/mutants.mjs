// Bad variants of a good value, one fault each, made from its schema: wrong types, missing and unknown members, values
// beyond their limits. Knows no operations.

// Yields {why, value} for every place and kind of fault that `tried` does not hold yet; adds them to it.
export function* mutants(description, schema, good, tried) {
  for (const [why, place, change] of faults(description, schema, good, "", "")) {
    const key = why.split(" at ")[0] + place;
    if (tried.has(key)) continue;
    const value = change(good);
    if (description.validator(schema)(value)) continue; // not a fault by the schema after all
    tried.add(key);
    yield { why, value };
  }
}

const replaced = (bad) => () => bad;
const at = (name, change) => (value) => {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[name] = change(value[name]);
  return copy;
};
const without = (name) => (value) => { const { [name]: _gone, ...rest } = value; return rest; };
const withMember = (name, content) => (value) => ({ ...value, [name]: content });

// [why, place in the schema, change]; the change makes a bad value of a good one.
function* faults(description, schema, value, pointer, place) {
  const resolved = description.resolve(schema, value);
  const where = pointer === "" ? " at the root" : ` at ${pointer}`;
  for (const [name, bad] of [["null", null], ["a flag", true], ["a number", 7.25], ["a text", "No Such Text!"], ["an array", [[]]],
    ["an object", { no_such_field: 1 }]]) {
    if (!description.validator(schema)(bad)) yield [`${name}${where}`, place, replaced(bad)];
  }
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
  for (const { if: condition, then } of schema.allOf ?? []) {
    if (!condition || !description.validator({ type: "object", ...condition })(value)) continue;
    for (const name of then.required ?? []) yield [`no ${name}${where}`, `${place}?`, without(name)];
    for (const [name, part] of Object.entries(then.properties ?? {})) {
      if (part === false) yield [`${name}, of another kind,${where}`, `${place}?`, withMember(name, 1)];
    }
  }
  for (const [name, content] of Object.entries(value)) {
    const part = schema.properties?.[name] ?? schema.additionalProperties;
    if (part && typeof part === "object") {
      yield* inside(description, part, content, name, pointer, `${place}/${schema.properties?.[name] ? name : "*"}`);
    }
  }
}

function* inside(description, part, content, name, pointer, place) {
  for (const [why, deeper, change] of faults(description, part, content, `${pointer}/${name}`, place)) {
    yield [why, deeper, at(name, change)];
  }
}
