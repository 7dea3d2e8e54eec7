// The viewer in the theme of the other pages. It takes colours as #rrggbb alone.
const dark = matchMedia("(prefers-color-scheme: dark)");
const hex = (rgb) =>
  `#${rgb
    .match(/\d+/g)
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("")}`;
function follow() {
  const theme = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
  const viewer = document.querySelector("rapi-doc");
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
// The viewer has two navigations: its list of sections gets a name.
document.querySelector("rapi-doc").addEventListener("spec-loaded", ({ target }) => {
  setTimeout(() => target.shadowRoot.querySelector(".nav-bar")?.setAttribute("aria-label", "Sections"));
});
dark.addEventListener("change", follow);
follow();
