// The URL is the state of the view: its parameters define what is shown, and changing the view changes them.

export const params = () => new URLSearchParams(location.search);

// The URL with changed parameters: a list repeats the name, null or "" removes it.
export function link(changes, from = params()) {
  const next = new URLSearchParams(from);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const item of [value].flat()) if (item !== null && item !== undefined && item !== "") next.append(name, item);
  }
  // Colons and slashes are legal in a query; left unescaped, pointers stay readable.
  return `/?${next.toString().replaceAll("%2F", "/").replaceAll("%3A", ":")}`;
}

// A link to another view; of the present parameters it keeps as_of only.
export function linkTo(view, parameters = {}) {
  const kept = new URLSearchParams();
  if (params().get("as_of")) kept.set("as_of", params().get("as_of"));
  return link({ view, ...parameters }, kept);
}

let show = () => {};
export function whenShown(handler) {
  show = handler;
  addEventListener("popstate", () => show());
  document.addEventListener("click", (event) => {
    const anchor = event.target.closest?.("a[href]");
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!anchor || elsewhere || anchor.origin !== location.origin || anchor.pathname !== "/" || anchor.hash) return;
    event.preventDefault();
    history.pushState(null, "", anchor.href);
    show();
  });
}

// Changes parameters of the URL and shows the view. `quiet` only changes the URL, for state that is already on the screen; `state` is
// kept with the entry of the browser's history.
export function go(changes, { replace = false, quiet = false, state = null } = {}) {
  history[replace ? "replaceState" : "pushState"](state, "", link(changes));
  if (!quiet) show();
}

export function goTo(href) {
  history.pushState(null, "", href);
  show();
}

// The what-if of the URL: `set=/pointer=value`, repeated, or `scale=/pointer=factor`. Values are JSON.
export function whatIf(from = params(), name = "set") {
  return Object.fromEntries(from.getAll(name).map((entry) => changeOf(entry, name)));
}

function changeOf(entry, name) {
  const at = entry.lastIndexOf("=");
  try {
    if (at > 0) return [entry.slice(0, at), JSON.parse(entry.slice(at + 1))];
  } catch {
    /* said below */
  }
  const error = new Error(`The address has ${name}=${entry}; a change is ${name}=/pointer=value, such as ${name}=/months=24.`);
  throw Object.assign(error, { title: "The address can't be read" });
}

// The what-if of the address as parameters of a link: a page that it leads to has the same.
export const changesHere = () => ({ set: params().getAll("set"), scale: params().getAll("scale") });

export const whatIfParameter = (set) => Object.entries(set).map(([pointer, value]) => `${pointer}=${JSON.stringify(value)}`);
