// The client of the daemon's API: requests, errors from problem documents, server-sent events. The API key stays in this tab.

const storageKey = "costcurve-key";

// Session storage belongs to this origin and this tab, and ends with the tab.
export const key = {
  get: () => sessionStorage.getItem(storageKey),
  set: (value) => (value ? sessionStorage.setItem(storageKey, value) : sessionStorage.removeItem(storageKey)),
};

// An error response: status, title, message and every issue {pointer, code, message}.
class HttpError extends Error {
  constructor(status, problem, request) {
    super(problem.detail || problem.title || `The daemon answered ${status}`);
    Object.assign(this, {
      name: "HttpError",
      status,
      title: problem.title ?? `Status ${status}`,
      errors: problem.errors ?? [],
      request,
    });
  }
}

// Dispatches an event for each 401, so that one place opens the sign-in dialog.
export const unauthorized = new EventTarget();

const mostTries = 4; // of what the daemon is too busy for

// Seconds, or less where the signal aborts; then it throws.
const wait = (seconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

async function send(method, path, { body, headers = {}, signal, tries = 1 } = {}) {
  const allHeaders = { ...headers };
  if (key.get()) allHeaders.Authorization = `Bearer ${key.get()}`;
  const plain = body === undefined || typeof body === "string" || body instanceof Blob || body instanceof FormData;
  if (!plain) allHeaders["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: allHeaders,
      body: plain ? body : JSON.stringify(body),
      signal,
      credentials: "omit",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw Object.assign(new Error("The daemon does not answer. Is costcurve serve running?"), { title: "No connection" });
  }
  if (response.ok) return response;
  const retryAfter = Number(response.headers.get("Retry-After"));
  if (response.status === 503 && retryAfter > 0 && tries < mostTries) {
    await wait(retryAfter, signal);
    return send(method, path, { body, headers, signal, tries: tries + 1 });
  }
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401) unauthorized.dispatchEvent(new Event("key"));
  throw new HttpError(response.status, problem, response.headers.get("X-Request-Id"));
}

const query = (path, parameters) => {
  const filled = Object.entries(parameters ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return filled.length ? `${path}?${new URLSearchParams(filled)}` : path;
};

export async function get(path, parameters, signal) {
  return (await send("GET", query(path, parameters), { signal })).json();
}

// The document with its entity tag, for If-Match.
export async function getWithRevision(path, parameters, signal) {
  const response = await send("GET", query(path, parameters), { signal });
  return { document: await response.json(), etag: response.headers.get("ETag") };
}

export async function post(path, body, signal) {
  return (await send("POST", path, { body, signal })).json();
}

// An answer that is text, such as CSV.
export async function postForText(path, body, signal, as = "text") {
  return (await send("POST", path, { body, signal }))[as]();
}

// An answer of a JSON document a line, such as that of a batch.
export async function postLines(path, body, signal) {
  const text = await postForText(path, body, signal);
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export async function put(path, body, headers, signal) {
  const response = await send("PUT", path, { body, headers, signal });
  return { document: await response.json(), etag: response.headers.get("ETag") };
}

export async function remove(path, headers, signal) {
  const response = await send("DELETE", path, { headers, signal });
  return response.status === 204 ? null : response.json();
}

// Uploads a file unchanged, with the given Content-Type.
export async function upload(path, parameters, content, type, signal) {
  return (await send("POST", query(path, parameters), { body: content, headers: { "Content-Type": type }, signal })).json();
}

// Every item of a paged list, up to `maxItems`.
export async function getAll(path, parameters = {}, signal = undefined, maxItems = 5000) {
  const items = [];
  let after;
  do {
    const page = await get(path, { limit: 1000, ...parameters, after }, signal);
    items.push(...page.items.filter((item) => !item.problem?.type)); // without unreadable documents
    after = page.next;
  } while (after && items.length < maxItems);
  return items;
}

// Server-sent events of a GET, or of a POST with a body: calls `onEvent` with each {event, data}, until the stream ends.
export async function events(path, { body, signal, onEvent }) {
  const response = await send(body === undefined ? "GET" : "POST", path, {
    body,
    headers: { Accept: "text/event-stream" },
    signal,
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n").map((line) => line.split(/: ?(.*)/s, 2));
      const event = lines.find(([name]) => name === "event")?.[1];
      const data = lines
        .filter(([name]) => name === "data")
        .map(([, value]) => value)
        .join("\n");
      if (data) onEvent(event, JSON.parse(data));
    }
  }
}

// The answer of a long request; `progress` is called with {stage, done, total} until then.
export async function postWithProgress(path, body, progress, signal) {
  const until = Date.now() + waits.most;
  for (;;) {
    try {
      return await postOnce(path, body, progress, signal);
    } catch (error) {
      if (error.status !== busy || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, waits.between)); // others' questions are answered meanwhile
      signal?.throwIfAborted();
    }
  }
}

const busy = 503; // as many long questions are being answered as may be
const waits = { between: 1000, most: 20000 }; // ms

async function postOnce(path, body, progress, signal) {
  let answer = null;
  await events(path, {
    body,
    signal,
    onEvent: (event, data) => {
      if (event === "progress") progress(data);
      else if (event === "problem") throw new HttpError(data.status, data, null);
      else answer = data;
    },
  });
  if (answer === null) throw new Error("The daemon ended before it had answered");
  return answer;
}
