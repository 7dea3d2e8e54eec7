// A choice of one of many documents: what is typed filters ids and facts; groups, and those that were used last above them.
import { count } from "../format.js";
import { matching, searchList } from "./search_list.js";

const maxShown = 80;
const maxRecent = 4;
const few = 8; // of so many none is hard to find

const chosenOf = new WeakMap(); // field: what is chosen
const setters = new WeakMap(); // field: what shows another value in it
export const chosen = (field) => chosenOf.get(field);
export const show = (field, value) => setters.get(field)(value);

// Forms get what is chosen, not the words that stand for it.
function fill({ target, formData }) {
  for (const field of target.elements) if (field.name && chosenOf.has(field)) formData.set(field.name, chosenOf.get(field));
}

const storageName = (kind) => `recent-${kind}`;
function recent(kind) {
  try {
    return JSON.parse(localStorage.getItem(storageName(kind))) ?? [];
  } catch {
    return []; // without storage there are none
  }
}
function remember(kind, value) {
  try {
    const all = [value, ...recent(kind).filter((one) => one !== value)].slice(0, maxRecent);
    localStorage.setItem(storageName(kind), JSON.stringify(all));
  } catch {
    /* without storage, none is remembered */
  }
}

// A field to choose one of `options` [{value, text, more, group}]. Pickers of the same `kind` share their list of last used options.
// Attributes are those of an input.
export function picker(kind, options, value, onchange, { required = false, ...attributes } = {}) {
  const textOf = (item) => `${item.value} ${item.text} ${item.more ?? ""} ${item.group ?? ""}`.toLowerCase();
  const optionOf = (one) => options.find((option) => option.value === one);
  const shownText = (one) => (one === "" ? "" : (optionOf(one)?.text ?? one));
  let isTyped = false;

  function find() {
    const now = chosen(field);
    const found = isTyped ? matching(options, field.value, textOf) : options;
    const usedLast = isTyped || options.length <= few ? [] : recent(kind).map(optionOf).filter(Boolean);
    const all = [...usedLast.map((option) => ({ ...option, group: "Used last" })), ...found];
    const items = all.slice(0, maxShown);
    return {
      items,
      at: isTyped ? (items.length ? 0 : -1) : items.findIndex((item) => item.value === now),
      rest: found.length
        ? all.length > maxShown
          ? `${count(all.length - maxShown, "more")} to search among`
          : ""
        : "None has all of these words.",
    };
  }
  function set(one) {
    isTyped = false;
    chosenOf.set(field, one);
    field.value = shownText(one);
    field.setCustomValidity(required && one === "" ? "Choose one." : "");
  }
  function take({ value: one }) {
    const isOther = one !== chosen(field);
    set(one);
    if (one !== "") remember(kind, one);
    if (isOther) onchange(one);
  }
  const { field } = searchList(
    { label: attributes["aria-label"] ?? kind, find, take, left: () => set(chosen(field)) },
    {
      placeholder: optionOf("")?.text ?? "search",
      ...attributes,
      class: `picker ${attributes.class ?? ""}`.trim(),
      onfocus: () => field.select(),
      oninput: () => {
        isTyped = true;
      },
    },
  );
  document.addEventListener("formdata", fill); // the same listener is added once
  setters.set(field, set);
  set(value ?? "");
  return field;
}
