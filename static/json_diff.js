// Differences of two JSON documents by pointer, and a three-way merge.

const isBranch = (value) => value !== null && typeof value === "object";
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const part = (pointer, name) => `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

// Whether both can be compared member by member: objects, and arrays of objects of equal length.
const alike = (a, b) =>
  isBranch(a) &&
  isBranch(b) &&
  Array.isArray(a) === Array.isArray(b) &&
  (!Array.isArray(a) || (a.length === b.length && a.every(isBranch) && !a.some(Array.isArray)));

// [{pointer, from, to}]; undefined if absent. Members of `ignored` at the top are not compared.
export function differences(from, to, pointer = "", ignored = ["revision", "recorded_at", "recorded_by"]) {
  if (same(from, to)) return [];
  if (!alike(from, to)) return [{ pointer, from, to }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names
    .filter((name) => pointer !== "" || !ignored.includes(name))
    .flatMap((name) => differences(from[name], to[name], part(pointer, name), ignored));
}

const names = (pointer) =>
  pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

export function valueAt(document, pointer) {
  return names(pointer).reduce((value, name) => (isBranch(value) ? value[name] : undefined), document);
}

// Whether something stands at the pointer, or behind the id of a stored document on the way there.
export function reaches(document, pointer) {
  let value = document;
  for (const name of names(pointer)) {
    if (typeof value === "string") return true;
    value = isBranch(value) ? value[name] : undefined;
  }
  return value !== undefined;
}

// A copy with `value` at the pointer; without the member if the value is undefined. Null if the pointer does not exist.
export function withValue(document, pointer, value) {
  const copy = structuredClone(document);
  const path = names(pointer);
  const last = path.pop();
  const holder = path.reduce((inner, name) => (isBranch(inner) ? inner[name] : undefined), copy);
  if (!isBranch(holder)) return null;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

// Conflicts, changed on both sides since `base`: [{pointer, base, mine, theirs}]; and the changes on one side only.
export function threeWay(base, mine, theirs) {
  const changed = differences(base, mine);
  const others = differences(base, theirs);
  const overlap = (a, b) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
  const meets = (change, list) => list.some((other) => overlap(change.pointer, other.pointer));
  const conflicts = changed
    .filter((change) => meets(change, others) && !same(valueAt(theirs, change.pointer), change.to))
    .map(({ pointer, from, to }) => ({ pointer, base: from, mine: to, theirs: valueAt(theirs, pointer) }));
  return {
    conflicts,
    onlyMine: changed.filter((change) => !meets(change, others)),
    onlyTheirs: others.filter((change) => !meets(change, changed)),
  };
}

// Their document with my changes: all without a conflict, and the conflicts in `keep`.
export function merged(theirs, { conflicts, onlyMine }, keep) {
  const taken = [
    ...onlyMine.map(({ pointer, to }) => ({ pointer, value: to })),
    ...conflicts.filter((conflict) => keep.has(conflict.pointer)).map(({ pointer, mine }) => ({ pointer, value: mine })),
  ];
  return taken.reduce((document, { pointer, value }) => withValue(document, pointer, value) ?? document, theirs);
}
