// A text field with a list of what is found, by the combobox pattern of ARIA: arrows move, Enter takes, Escape closes. The list lies above
// the page, so that no box that scrolls cuts it.
import { h, newId } from "../dom.js";

const space = { side: 8, gap: 4, least: 200, most: 360 }; // px

// `find()` gives {items: [{value, text, more, group, note}], rest: what stands below them, at: the number of the one that is marked};
// `take(item)` takes one; `left()` is called when the focus leaves. Returns {field, open, close, isOpen}.
export function searchList({ label, find, take, left = () => {} }, { oninput, onfocus, ...attributes } = {}) {
  const listId = newId("found");
  let list = null;
  let items = [];
  let at = -1;

  const option = (item, i) =>
    h(
      "div",
      {
        role: "option",
        id: `${listId}-${i}`,
        "aria-selected": String(i === at),
        onmousedown: (event) => event.preventDefault(), // the field keeps the focus
        onclick: () => choose(i),
      },
      h("span", {}, item.text, item.note ? h("small", {}, ` ${item.note}`) : ""),
      item.more ? h("small", {}, item.more) : "",
    );
  function groups() {
    const names = [...new Set(items.map(({ group }) => group ?? ""))];
    return names.map((name, n) => {
      const members = items.map((item, i) => ((item.group ?? "") === name ? option(item, i) : null)).filter(Boolean);
      const id = `${listId}-group-${n}`;
      return name
        ? h("div", { role: "group", "aria-labelledby": id }, h("div", { class: "group", id, role: "presentation" }, name), members)
        : members;
    });
  }
  function draw() {
    list.replaceChildren(...groups().flat());
    field.setAttribute("aria-activedescendant", at >= 0 ? `${listId}-${at}` : "");
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }
  function lay() {
    const { left, top, bottom, width } = field.getBoundingClientRect();
    const [below, above] = [innerHeight - bottom, top].map((room) => room - space.gap - space.side);
    const isBelow = below >= space.least || below >= above;
    const wide = Math.min(innerWidth - 2 * space.side, Math.max(width, 320));
    const style = {
      "--left": `${Math.max(space.side, Math.min(left, innerWidth - wide - space.side))}px`,
      "--width": `${wide}px`,
      "--top": isBelow ? `${bottom + space.gap}px` : "auto",
      "--bottom": isBelow ? "auto" : `${innerHeight - top + space.gap}px`,
      "--most": `${Math.min(space.most, Math.max(below, above))}px`,
    };
    for (const [name, value] of Object.entries(style)) frame.style.setProperty(name, value);
  }
  let frame = null;
  function show() {
    if (!frame) {
      list = h("div", { role: "listbox", id: listId, "aria-label": `${label}: found` });
      frame = h("div", { class: "found", popover: "manual" }, list, h("p", { class: "small" }));
      (field.closest("dialog, main") ?? document.body).append(frame);
      frame.showPopover();
      addEventListener("scroll", lay, true);
      addEventListener("resize", lay);
      field.setAttribute("aria-expanded", "true");
    }
    const found = find();
    items = found.items;
    at = found.at ?? -1;
    frame.lastChild.textContent = found.rest ?? "";
    draw();
    lay();
  }
  function close() {
    if (!frame) return;
    removeEventListener("scroll", lay, true);
    removeEventListener("resize", lay);
    frame.remove();
    frame = null;
    at = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }
  function choose(i) {
    const item = items[i];
    close();
    take(item);
  }
  function step(by) {
    if (!frame) return show();
    at = items.length ? Math.max(0, Math.min(items.length - 1, at + by)) : -1;
    draw();
  }
  const keys = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => choose(at),
    Escape: close,
  };
  const needs = { Enter: () => frame && at >= 0, Escape: () => frame };
  const field = h("input", {
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": listId,
    spellcheck: "false",
    autocomplete: "off",
    ...attributes,
    oninput: (event) => {
      oninput?.(event);
      show();
    },
    onfocus: (event) => onfocus?.(event),
    onclick: () => frame || show(),
    onblur: () => {
      close();
      left();
    },
    onkeydown: (event) => {
      if (!keys[event.key] || event.isComposing || !(needs[event.key]?.() ?? true)) return;
      event.preventDefault();
      event.stopPropagation(); // Escape closes the list, not the dialog around it
      keys[event.key]();
    },
  });
  return { field, open: show, close, isOpen: () => frame !== null };
}

// The items of which each word of a text is in what stands beside it, those first that are or begin with it.
export function matching(items, text, textOf) {
  const typed = text.trim().toLowerCase();
  const words = typed.split(/\s+/).filter(Boolean);
  const found = items.filter((item) => words.every((word) => textOf(item).includes(word)));
  const worth = ({ value, text: shown }) => {
    const names = [String(value), String(shown)].map((name) => name.toLowerCase());
    return names.includes(typed) ? 0 : names.some((name) => name.startsWith(typed)) ? 1 : 2;
  };
  return typed ? found.sort((a, b) => worth(a) - worth(b)) : found;
}
