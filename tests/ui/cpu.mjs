// Seconds of CPU of this process and of all that it started, from /proc.
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100; // USER_HZ of Linux's /proc

function processes() {
  const rows = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" "); // from the third on: state, parent, …
      const [parent, ticks] = [Number(fields[1]), fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0)];
      rows.set(Number(pid), { parent, ticks });
    } catch {
      /* ended meanwhile */
    }
  }
  return rows;
}

export function cpuSeconds() {
  const rows = processes();
  const isOurs = (pid) => pid === process.pid || (rows.has(pid) && isOurs(rows.get(pid).parent));
  return [...rows].filter(([pid]) => isOurs(pid)).reduce((sum, [, row]) => sum + row.ticks, 0) / ticksPerSecond;
}
