// Parts of an OpenAPI description: the list of its operations, and one operation with the schemas that it refers to. Shows nothing.
const parts = ["parameters", "requestBody", "responses"];

// The description without what the operations take and give: nothing in it refers to a schema.
export function overview(description) {
  const { securitySchemes } = description.components;
  const text = JSON.stringify({ ...description, components: { securitySchemes } }, (key, value) =>
    parts.includes(key) ? undefined : value,
  );
  return JSON.parse(text);
}

// A copy of `node` with what its references name in their place. A schema that contains itself stays a reference there.
export function resolve(node, description, within = []) {
  if (Array.isArray(node)) return node.map((item) => resolve(item, description, within));
  if (node === null || typeof node !== "object") return node;
  const { $ref, ...members } = node;
  if (within.includes($ref)) return { $ref };
  const copy = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, resolve(member, description, within)]));
  if ($ref === undefined) return copy;
  const target = $ref
    .slice("#/".length)
    .split("/")
    .reduce((place, name) => place[name.replaceAll("~1", "/").replaceAll("~0", "~")], description);
  return { ...resolve(target, description, [...within, $ref]), ...copy };
}

// Gives an operation of the overview, `{path, method}`, its parts back, each when it is first read.
export function completeWhenRead(operation, description) {
  const whole = description.paths[operation.path][operation.method];
  for (const part of parts.filter((name) => name in whole)) {
    const get = () => {
      const value = resolve(whole[part], description);
      Object.defineProperty(operation, part, { value });
      return value;
    };
    Object.defineProperty(operation, part, { get, configurable: true });
  }
}
