// The viewer of the API's description: gets it an operation at a time, in the theme of the other pages, at any width.
import { completeWhenRead, overview } from "./description.js";

const viewer = document.querySelector("rapi-doc");

// The viewer puts every schema in place of each reference to it before it shows anything, which makes 8 MB of 0.5 MB.
// So it is given the list of operations alone; it reads an operation's parts when it shows that operation.
async function load() {
  const [answer] = await Promise.all([fetch("/openapi.json"), customElements.whenDefined("rapi-doc")]);
  if (!answer.ok) throw new Error(`the daemon answers ${answer.status}`);
  const description = await answer.json();
  adapt();
  viewer.addEventListener("spec-loaded", ({ detail }) => {
    for (const operation of detail.tags.flatMap((tag) => tag.paths)) completeWhenRead(operation, description);
    // The viewer has two navigations: its list of sections gets a name.
    setTimeout(() => viewer.shadowRoot.querySelector(".nav-bar")?.setAttribute("aria-label", "Sections"));
  });
  await viewer.loadSpec(overview(description));
}

// What the viewer lacks: its list and the descriptions of fields on narrow pages, and names of input fields.
function adapt() {
  const narrow = new CSSStyleSheet();
  narrow.replaceSync(`
    @media (max-width: 767px) {
      .body { flex-direction: column; }
      .nav-bar { display: flex; flex: none; width: 100%; height: 40%; border-bottom: 1px solid var(--border-color); }
      .main-content { min-height: 0; }
      .main-content-inner--focused-mode { padding: 0 12px; }
      div:has(> .m-btn) { flex-wrap: wrap; gap: 8px; }
      .tr { flex-wrap: wrap; }
      .table .tr > .key { width: 60%; }
      .table .tr > .key-type { width: 40%; }
      .tr > .td.key-descr { display: block; width: 100%; padding-left: 16px; }
    }`);
  viewer.shadowRoot.adoptedStyleSheets.push(narrow);
  for (const name of ["api-request", "api-response", "schema-table"]) customElements.get(name).elementStyles.push(narrow);
  const request = customElements.get("api-request").prototype;
  const { updated } = request;
  request.updated = function (changed) {
    for (const field of this.shadowRoot.querySelectorAll("input, textarea"))
      field.setAttribute("aria-label", field.dataset.pname ?? "Request body");
    return updated.call(this, changed);
  };
}

// It takes colours as #rrggbb alone.
const dark = matchMedia("(prefers-color-scheme: dark)");
const hex = (rgb) =>
  `#${rgb
    .match(/\d+/g)
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("")}`;
function follow() {
  const theme = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
  const { backgroundColor, color } = getComputedStyle(document.body);
  const colours = {
    "bg-color": hex(backgroundColor),
    "nav-bg-color": hex(backgroundColor),
    "text-color": hex(color),
    "nav-text-color": hex(color),
  };
  const primary = theme === "dark" ? "#a5b4fc" : "#4338ca";
  for (const [name, value] of Object.entries({ ...colours, theme, "primary-color": primary, "nav-accent-color": primary }))
    viewer.setAttribute(name, value);
}
dark.addEventListener("change", follow);
follow();
load().catch((error) => {
  const told = document.createElement("p");
  told.setAttribute("role", "alert");
  told.textContent = `The description of the API could not be loaded: ${error.message}. Load the page again.`;
  viewer.replaceWith(told);
});
