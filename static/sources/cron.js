// Cron in words, words in cron, and the next times in a zone. The daemon's own answer counts; this shows it while one types.
const names = {
  month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  day: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};
const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const short = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};
const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
];

function value(text, field) {
  const list = field === 3 ? names.month : field === 4 ? names.day : [];
  const at = list.indexOf(text.toLowerCase());
  const number = at < 0 ? (/^\d+$/.test(text) ? Number(text) : NaN) : at + (field === 3 ? 1 : 0);
  return number >= ranges[field][0] && number <= ranges[field][1] ? number : NaN;
}

// The values of a field as a set; null where it is not cron.
function fieldOf(text, field) {
  const found = new Set();
  for (const part of text.split(",")) {
    const [range, step = "1"] = part.split("/");
    if (!/^[1-9]\d*$/.test(step)) return null;
    const [from, to] =
      range === "*"
        ? ranges[field]
        : range.includes("-")
          ? range.split("-").map((end) => value(end, field))
          : [value(range, field), part.includes("/") ? ranges[field][1] : value(range, field)];
    if (Number.isNaN(from) || Number.isNaN(to) || from > to) return null;
    for (let i = from; i <= to; i += Number(step)) found.add(field === 4 ? i % 7 : i);
  }
  return found;
}

// {minute, hour, date, month, weekday, text} of cron; null where it is none.
export function parse(cron) {
  const text = short[cron.trim()] ?? cron.trim();
  const parts = text.split(/\s+/);
  if (parts.length !== 5) return null;
  const fields = parts.map(fieldOf);
  if (fields.some((field) => field === null)) return null;
  const [minute, hour, date, month, weekday] = fields;
  const free = (i) => parts[i].startsWith("*");
  return { minute, hour, date, month, weekday, parts, either: !free(2) && !free(4) };
}

const clock = (hour, minute) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
const ordinal = (n) => `${n}${n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th")}`;

// Cron in words where it is a usual one: "every day at 02:00".
export function inWords(cron) {
  const at = cron ? parse(cron) : null;
  if (!at) return cron ?? null;
  const [minute, hour, date, month, weekday] = at.parts;
  const one = (text) => /^\d+$/.test(text);
  if (month !== "*" || !one(minute)) {
    const every = minute.match(/^\*\/(\d+)$/);
    return every && [hour, date, month, weekday].every((part) => part === "*") ? `every ${every[1]} minutes` : cron;
  }
  if (hour === "*" && date === "*" && weekday === "*") return minute === "0" ? "every hour" : `every hour at ${minute} past`;
  if (!one(hour)) return cron;
  const time = clock(hour, minute);
  if (date === "*" && weekday === "*") return `every day at ${time}`;
  if (date === "*" && /^(1-5|mon-fri)$/i.test(weekday)) return `every weekday at ${time}`;
  if (date === "*" && at.weekday.size <= 3) return `every ${[...at.weekday].map((day) => dayNames[day]).join(", ")} at ${time}`;
  if (weekday === "*" && one(date)) return `the ${ordinal(Number(date))} of the month at ${time}`;
  return cron;
}

// "every Monday at 6", "every night at 2", "the 1st of the month": cron; null where it is not understood. Cron stays what it is.
export function fromWords(text) {
  if (parse(text)) return short[text.trim()] ?? text.trim();
  const said = text.trim().toLowerCase().replace(/\s+/g, " ");
  const time = said.match(/\b(?:at )?(\d{1,2})(?::(\d\d))? ?(am|pm)?(?: ?o'clock)?$/);
  const usual = /night/.test(said) ? 2 : 6;
  let hour = usual;
  let rest = said;
  if (time && !/\b(every|each) \d+/.test(said)) {
    hour = (Number(time[1]) % (time[3] ? 12 : 24)) + (time[3] === "pm" ? 12 : 0);
    if (Number(time[1]) > 24) return null;
    rest = said.slice(0, time.index).trim();
  }
  const minute = time ? Number(time[2] ?? 0) : 0;
  if (minute > 59) return null;
  const every = said.match(/^(?:every|each) (\d+) (minute|hour)s?$/);
  if (every) return every[2] === "minute" ? `*/${every[1]} * * * *` : `0 */${every[1]} * * *`;
  if (/^(every|each) hour|^hourly/.test(said)) return "0 * * * *";
  const date =
    rest.match(/(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: day)? of (?:the|each|every) month/) ??
    (/month/.test(rest) ? [null, "1"] : null);
  if (date) return Number(date[1]) >= 1 && Number(date[1]) <= 31 ? `${minute} ${hour} ${Number(date[1])} * *` : null;
  if (/weekday|working day|workday/.test(rest)) return `${minute} ${hour} * * 1-5`;
  const days = dayNames
    .map((name, i) => (new RegExp(`\\b${name.slice(0, 3)}`, "i").test(rest) ? i : null))
    .filter((i) => i !== null);
  if (days.length) return `${minute} ${hour} * * ${days.join(",")}`;
  if (/^(every|each)? ?(day|night|morning|evening)|^daily|^nightly|^at$|^$/.test(rest) && said) return `${minute} ${hour} * * *`;
  return null;
}

export const examples = [
  "every night at 2",
  "every day at 4:30",
  "every weekday at 7",
  "every Monday at 6",
  "the 1st of the month at 3",
  "every hour",
];

// Minutes that a zone's clock is ahead of UTC at an instant.
const clocks = new Map();
function offset(instant, zone) {
  if (!clocks.has(zone)) {
    const numbers = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    clocks.set(zone, new Intl.DateTimeFormat("en-CA", { ...numbers, timeZone: zone }));
  }
  const parts = Object.fromEntries(
    clocks
      .get(zone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  );
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute) - Math.floor(instant / 60000) * 60000;
}

// The next runs after an instant (ms), as instants; [] where cron or zone mean nothing.
export function nextRuns(cron, zone = "UTC", wanted = 3, after = Date.now()) {
  const at = cron ? parse(cron) : null;
  if (!at) return [];
  const found = [];
  try {
    let local = new Date(after + offset(after, zone));
    local = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
    for (let i = 0; i < 1500 && found.length < wanted; ++i, local += 86400000) {
      const day = new Date(local);
      if (!at.month.has(day.getUTCMonth() + 1)) continue;
      const [isDate, isWeekday] = [at.date.has(day.getUTCDate()), at.weekday.has(day.getUTCDay())];
      if (at.either ? !isDate && !isWeekday : !isDate || !isWeekday) continue;
      for (const hour of [...at.hour].sort((a, b) => a - b))
        for (const minute of [...at.minute].sort((a, b) => a - b)) {
          const clockTime = local + (hour * 60 + minute) * 60000;
          const guess = clockTime - offset(clockTime, zone);
          const instant = clockTime - offset(guess, zone);
          if (instant > after && found.length < wanted) found.push(instant);
        }
    }
  } catch {
    return []; // no such zone
  }
  return found;
}
