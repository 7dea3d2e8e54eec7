// What one hands on: the page's address, with the prices of now or without, its picture, or a printed page.
import { announce, h } from "../dom.js";
import { icon } from "../icons.js";
import { link, params } from "../router.js";

async function copy(text, said) {
  await navigator.clipboard.writeText(text);
  announce(said);
}

const here = (more) => `${location.origin}${link(more)}`;
const ways = [
  ["Copy the address", () => copy(here({}), "The address is copied")],
  [
    "Copy it with the prices of now",
    () => copy(here({ as_of: params().get("as_of") ?? new Date().toISOString() }), "The address is copied, with the prices of now"),
  ],
  ["Picture of the page", async () => (await import("./picture.js")).savePage(document.querySelector(".pp"), "decision")],
  ["Print a page", () => window.print()],
];

// The menu; `failed` gets what one of them ended with.
export function sharePart(failed) {
  const item = ([text, run]) =>
    h(
      "button",
      {
        type: "button",
        class: "btn bare",
        onclick: ({ target }) => (Promise.resolve(run()).catch(failed), (target.closest("details").open = false)),
      },
      text,
    );
  return h(
    "details",
    { class: "menu-drop", id: "share" },
    h("summary", { class: "btn" }, icon("share"), "Share"),
    h("div", { class: "menu-list" }, ways.map(item)),
  );
}
