// Elements from values: every piece of data becomes text, never markup.

// An element. Attributes that are functions are listeners (onclick), null and false are left out;
// children are nodes, texts or lists of them.
export function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (name === "colour") made.style.setProperty("--colour", value);
    else if (["value", "checked", "indeterminate", "className"].includes(name)) made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  // A list's choice is its value once its options are there.
  if (tag === "select" && attributes.value !== undefined) made.value = attributes.value;
  return made;
}

// An id that no other element has.
let ids = 0;
export const newId = (prefix = "x") => `${prefix}-${++ids}`;

// Tells a screen reader what has happened.
export function say(text) {
  document.getElementById("said").textContent = text;
}

// A control with its label, and what else there is to know of it.
export function labelled(text, control, help = "") {
  control.id ||= newId("c");
  const note = help ? h("small", { id: `${control.id}-help`, class: "help" }, help) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "control" }, h("label", { for: control.id }, text), control, note);
}

// A list to choose one of: options are {value, text, group}.
export function choice(options, value, onchange, attributes = {}) {
  const option = (one) => h("option", { value: one.value }, one.text);
  const groups = [...new Set(options.map((one) => one.group ?? ""))];
  const children = groups.map((group) => {
    const members = options.filter((one) => (one.group ?? "") === group).map(option);
    return group ? h("optgroup", { label: group }, members) : members;
  });
  return h("select", { ...attributes, value, onchange: (event) => onchange(event.target.value) }, children);
}

// Buttons of which one is pressed: options are {value, text}.
export function toggle(label, options, value, onchange) {
  return h(
    "div",
    { class: "toggle", role: "group", "aria-label": label },
    options.map((one) =>
      h(
        "button",
        {
          type: "button",
          id: `toggle-${label}-${one.value}`.replace(/\W+/g, "-"),
          "aria-pressed": String(one.value === value),
          onclick: () => onchange(one.value),
        },
        one.text,
      ),
    ),
  );
}

export const swatch = (colour) => h("span", { class: "swatch", colour, "aria-hidden": "true" });
