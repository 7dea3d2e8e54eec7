// A chart with its title, note on assumptions, table of the same figures and CSV. ECharts draws it as SVG.
import { inTheme } from "./colours.js";
import { h, newId, swatch } from "./dom.js";
import { csvButton, tableOf } from "./table.js";

const library = import("/static/packages/echarts.js"); // loads while the figures are requested
const drawn = new Set(); // charts on the screen, to redraw when the theme changes

// The colours of text and lines in the present theme, from the style sheet.
export function theme() {
  const styles = getComputedStyle(document.documentElement);
  const colour = (name) => styles.getPropertyValue(`--${name}`).trim();
  return { text: colour("text"), muted: colour("muted"), line: colour("line"), page: colour("page"), card: colour("card") };
}

function complete(option, colours, label) {
  const font = { color: colours.text, fontFamily: "system-ui, sans-serif", fontSize: 12 };
  return {
    animation: false,
    textStyle: font,
    aria: { enabled: true, label: { description: label }, decal: { show: option.decals ?? false } },
    ...option,
    tooltip: {
      renderMode: "richText",
      confine: true,
      backgroundColor: colours.card,
      borderColor: colours.line,
      borderWidth: 1,
      textStyle: { ...font, fontSize: 12 },
      ...option.tooltip,
    },
  };
}

async function draw(figure) {
  const { init } = await library;
  if (!figure.place.isConnected) return;
  const colours = theme();
  figure.chart ??= init(figure.place, null, { renderer: "svg" });
  const option = figure.spec.option(colours, figure.place.clientWidth);
  figure.chart.setOption(complete(option, colours, `${figure.spec.title}. The table below has the figures.`), true);
  figure.place.dataset.drawn = "true";
}

// Charts are drawn one per frame, so that the first is visible before the last is drawn.
const waiting = new Set();
function wait(figure) {
  if (!waiting.size) requestAnimationFrame(drawNext);
  waiting.add(figure);
  delete figure.place.dataset.drawn;
}

async function drawNext() {
  const [figure] = waiting;
  try {
    figure.chart?.resize();
    await draw(figure);
  } finally {
    waiting.delete(figure);
    if (waiting.size) requestAnimationFrame(drawNext);
  }
}

const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const figure = [...drawn].find((item) => item.place === target);
    if (figure && contentRect.width > 0) wait(figure);
  }
});

export function drawAll() {
  for (const figure of drawn) {
    if (figure.place.isConnected) {
      figure.showLegend();
      wait(figure);
    } else forget(figure);
  }
}

function forget(figure) {
  sizes.unobserve(figure.place);
  figure.chart?.dispose();
  drawn.delete(figure);
}

// A spec is {title, option(theme, width), table: {columns, rows, foot}, legend: [{label or name, colour}],
// note, size, wide, tools}. Returns {element, update(spec)}.
export function chart(spec) {
  for (const figure of drawn) if (figure.chart && !figure.place.isConnected) forget(figure);
  const id = newId("chart");
  const place = h("div", { class: `chart ${spec.size ?? ""}`, role: "img", "aria-labelledby": id });
  const note = h("figcaption", { class: "muted" });
  const twin = h("details", { class: "twin" });
  const legend = h("ul", { class: "legend", "aria-hidden": "true" });
  const showLegend = () =>
    legend.replaceChildren(
      ...(figure.spec.legend ?? []).map((part) => h("li", {}, swatch(inTheme(part.colour)), part.label ?? part.name)),
    );
  const figure = { spec, place, chart: null, showLegend };
  const show = () => {
    showLegend();
    note.replaceChildren(...[figure.spec.note ?? ""].flat());
    twin.replaceChildren(h("summary", {}, "Table", h("span", { class: "unseen" }, ` of ${figure.spec.title}`)));
    if (twin.open) unfold();
  };
  const unfold = () => {
    if (twin.children.length === 1) twin.append(tableOf({ caption: figure.spec.title, ...figure.spec.table }));
  };
  twin.addEventListener("toggle", unfold);
  show();
  drawn.add(figure);
  sizes.observe(place);
  const name =
    spec.name ??
    spec.title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "");
  const element = h(
    "figure",
    { class: `panel ${spec.wide ? "wide" : ""}`, "data-figure": name },
    h("div", { class: "panel-head" }, h("h2", { id }, spec.title), h("div", { class: "panel-tools" }, spec.tools ?? null)),
    legend,
    place,
    note,
    h(
      "div",
      { class: "twin-row" },
      twin,
      csvButton(name, () => figure.spec.table),
    ),
  );
  return {
    element,
    update(next) {
      figure.spec = { ...figure.spec, ...next };
      show();
      return draw(figure);
    },
  };
}
