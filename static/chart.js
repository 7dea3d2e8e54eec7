// A chart with its title, note on assumptions, table of the same figures and CSV. ECharts draws it as SVG.
import { inTheme } from "./colours.js";
import { h, newId, swatch } from "./dom.js";
import { icon } from "./icons.js";
import { csvButton, save, tableOf } from "./table.js";

const library = import("/static/packages/echarts.js"); // loads while the figures are requested
const drawn = new Set(); // charts on the screen, to redraw when the theme changes
const dated = /^(\d{4}(-\d{2})?|[A-Z][a-z]{2} \d{4})$/; // a month or a year at an axis

// The colours of text and lines in the present theme, from the style sheet.
export function theme() {
  const probe = document.body.appendChild(h("i", { hidden: true }));
  const colour = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const names = ["text", "muted", "line", "page", "card", "bad", "line-2"];
  const colours = Object.fromEntries(names.map((name) => [name, colour(name)]));
  colours.plans = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => colour(`p${number}`)); // a plan's colour is a number from 1
  colours.costs = [1, 2, 3, 4, 5].map((number) => colour(`c${number}`));
  probe.remove();
  return colours;
}

function complete(option, colours, label) {
  const font = { color: colours.text, fontFamily: "Inter, system-ui, sans-serif", fontSize: 11 };
  return {
    animation: false,
    textStyle: font,
    aria: { enabled: true, label: { description: label } },
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
  const names = [option.series ?? []].flat().map((series) => series.name);
  figure.series = new Set(names.filter(Boolean));
  figure.showLegend();
  const selected = Object.fromEntries([...figure.series].map((name) => [name, !figure.hidden.has(name)]));
  const legend = { show: false, data: [...figure.series], selected };
  figure.chart.setOption(complete({ legend, ...option }, colours, `${figure.spec.title}. The table below has the figures.`), true);
  await join(figure.chart, option);
  // On paper the picture is as wide as its place there.
  figure.place.querySelector("svg")?.setAttribute("viewBox", `0 0 ${figure.place.clientWidth} ${figure.place.clientHeight}`);
  figure.place.dataset.drawn = "true";
}

// Charts with the same months or years have one cross-hair.
async function join(chart, { xAxis }) {
  const { connect } = await library;
  const { type, data } = [xAxis ?? {}].flat()[0];
  const values = type === "category" ? (data ?? []) : [];
  chart.group = values.length > 1 && values.every((value) => dated.test(value)) ? `dates ${values.join()}` : "";
  if (chart.group) connect(chart.group);
}

// The names of the series that an entry of the legend stands for.
const seriesOf = (part, figure) => [part.name, part.label, ...(part.series ?? [])].filter((name) => figure.series.has(name));

// An entry that stands for series is a button that switches them on and off, where there are several; else it is text.
function legendOf(figure) {
  const parts = figure.spec.legend ?? [];
  const several = parts.filter((part) => seriesOf(part, figure).length).length > 1;
  return parts.map((part) => {
    const names = seriesOf(part, figure);
    const text = [swatch(inTheme(part.colour)), part.label ?? part.name];
    if (!several || !names.length) return h("li", {}, text);
    const flip = ({ currentTarget }) => {
      const off = !figure.hidden.has(names[0]);
      for (const name of names) figure.hidden[off ? "add" : "delete"](name);
      currentTarget.setAttribute("aria-pressed", String(!off));
      wait(figure);
    };
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", "aria-pressed": String(!figure.hidden.has(names[0])), title: "Show or hide", onclick: flip },
        text,
      ),
    );
  });
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

// Another theme has other colours.
document.addEventListener("theme", () => {
  for (const figure of drawn) {
    if (figure.place.isConnected) {
      figure.showLegend();
      wait(figure);
    } else forget(figure);
  }
});

function forget(figure) {
  sizes.unobserve(figure.place);
  figure.chart?.dispose();
  drawn.delete(figure);
}

// The picture as a file: SVG as it is drawn, PNG at twice its size.
async function savePicture(figure, name, type) {
  const text = figure.chart.renderToSVGString();
  if (type === "svg") return save(`${name}.svg`, text, "image/svg+xml");
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = h("canvas", { width: 2 * figure.place.clientWidth, height: 2 * figure.place.clientHeight });
  const context = canvas.getContext("2d");
  context.fillStyle = theme().page;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(`${name}.png`, blob, "image/png"));
}

const pictureButton = (figure, name, type) =>
  h(
    "button",
    { type: "button", class: "quiet", "data-picture": `${name}.${type}`, onclick: () => savePicture(figure, name, type) },
    type.toUpperCase(),
    h("span", { class: "unseen" }, ` of ${name}`),
  );

const fullScreenButton = (element, title) =>
  h(
    "button",
    {
      type: "button",
      class: "tool",
      title: "Full screen",
      "aria-label": `${title}, full screen`,
      onclick: () => (document.fullscreenElement ? document.exitFullscreen() : element().requestFullscreen()),
    },
    icon("full"),
  );

// A spec is {title, option(theme, width), table: {columns, rows, foot}, legend: [{label or name, colour}],
// note, size, wide, tools}; a part of the legend may name more `series` that go with it. Returns {element, update(spec)}.
export function chart(spec) {
  for (const figure of drawn) if (figure.chart && !figure.place.isConnected) forget(figure);
  const id = newId("chart");
  const place = h("div", { class: `chart ${spec.size ?? ""}`, role: "img", "aria-labelledby": id });
  const note = h("figcaption", { class: "muted" });
  const twin = h("details", { class: "twin" });
  const legend = h("ul", { class: "legend", "aria-label": `Legend of ${spec.title}` });
  const figure = { spec, place, chart: null, series: new Set(), hidden: new Set(), order: {}, key: null };
  // Made anew where something of it has changed, so that a button keeps the focus.
  figure.showLegend = () => {
    const key = JSON.stringify([
      (figure.spec.legend ?? []).map(({ name, label, series, colour }) => [name, label, series, inTheme(colour)]),
      [...figure.series],
    ]);
    if (key === figure.key) return;
    figure.key = key;
    const focused = [...legend.querySelectorAll("button")].indexOf(document.activeElement);
    legend.replaceChildren(...legendOf(figure));
    legend.querySelectorAll("button")[focused]?.focus();
  };
  const title = h("h2", { id });
  const show = () => {
    title.textContent = figure.spec.title;
    figure.showLegend();
    note.replaceChildren(...[figure.spec.note ?? ""].flat());
    twin.replaceChildren(h("summary", {}, "Table", h("span", { class: "unseen" }, ` of ${figure.spec.title}`)));
    if (twin.open) unfold();
  };
  const unfold = () => {
    if (twin.children.length === 1) twin.append(tableOf({ caption: figure.spec.title, ...figure.spec.table }, 200, figure.order));
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
    h(
      "div",
      { class: "panel-head" },
      title,
      h(
        "div",
        { class: "panel-tools" },
        spec.tools ?? null,
        fullScreenButton(() => element, spec.title),
      ),
    ),
    legend,
    place,
    note,
    h(
      "div",
      { class: "twin-row" },
      twin,
      csvButton(name, () => figure.spec.table),
      pictureButton(figure, name, "svg"),
      pictureButton(figure, name, "png"),
    ),
  );
  return {
    element,
    // The values of the axes at a place of the picture, in px; null outside of the axes.
    valueAt: (px) => (figure.chart?.containPixel("grid", px) ? figure.chart.convertFromPixel("grid", px) : null),
    update(next) {
      figure.spec = { ...figure.spec, ...next };
      show();
      return draw(figure);
    },
  };
}
