// Whether the key of this tab may write. No route answers that; one that needs the role editor and can do nothing is refused to others.
import { key, post } from "../api.js";

const refused = 403;
const none = 0; // no import has this number
const known = new Map(); // by key

export async function mayWrite(signal) {
  const mine = key.get();
  if (!mine) return true; // without keys, all may
  if (!known.has(mine))
    known.set(
      mine,
      await post(`/v1/imports/${none}/accept`, {}, signal).then(
        () => true,
        (error) => error.status !== refused,
      ),
    );
  return known.get(mine);
}
