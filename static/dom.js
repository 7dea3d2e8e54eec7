// Builds elements from values: data becomes text, never markup.

// An element. Attributes that are functions are listeners (onclick), null and false are left out;
// children are nodes, texts or lists of them.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "colour") element.style.setProperty("--colour", value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else if (["value", "checked", "indeterminate", "className"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  // A select takes its value only after its options exist.
  if (tag === "select" && attributes.value !== undefined) element.value = attributes.value;
  return element;
}

// A unique element id.
let ids = 0;
export const newId = (prefix = "x") => `${prefix}-${++ids}`;

// What has the focus, and what is selected in it. Called once the page is rebuilt, it gives both to the element of the same id.
export function keepFocus() {
  const { id, value, selectionStart, selectionEnd } = document.activeElement ?? {};
  const isWhole = value && selectionStart === 0 && selectionEnd === value.length; // what is typed next replaces it
  return () => {
    const now = id && document.getElementById(id);
    if (!now || now === document.activeElement) return;
    now.focus({ preventScroll: true });
    if (isWhole) now.select?.();
    else if (Number.isInteger(selectionStart)) now.setSelectionRange?.(selectionStart, selectionEnd);
  };
}

// Announces a message to screen readers.
export function announce(text) {
  document.getElementById("announcement").textContent = text;
}

// A control with its label and help text.
export function labelled(text, control, help = "") {
  control.id ||= newId("c");
  const note = help ? h("small", { id: `${control.id}-help`, class: "help" }, help) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "control" }, h("label", { for: control.id }, text), control, note);
}

// A select: options are {value, text, group}.
export function choice(options, value, onchange, attributes = {}) {
  const option = (item) => h("option", { value: item.value }, item.text);
  const groups = [...new Set(options.map((option) => option.group ?? ""))];
  const children = groups.map((group) => {
    const members = options.filter((option) => (option.group ?? "") === group).map(option);
    return group ? h("optgroup", { label: group }, members) : members;
  });
  return h("select", { ...attributes, value, onchange: (event) => onchange(event.target.value) }, children);
}

// A group of buttons, exactly one pressed: options are {value, text}.
export function toggle(label, options, value, onchange) {
  return h(
    "div",
    { class: "toggle", role: "group", "aria-label": label },
    options.map((option) =>
      h(
        "button",
        {
          type: "button",
          id: `toggle-${label}-${option.value}`.replace(/\W+/g, "-"),
          "aria-pressed": String(option.value === value),
          onclick: () => onchange(option.value),
        },
        option.text,
      ),
    ),
  );
}

export const swatch = (colour) => h("span", { class: "swatch", colour, "aria-hidden": "true" });
