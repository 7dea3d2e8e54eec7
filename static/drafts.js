// Unsaved drafts, kept by this browser until they are saved or discarded: they outlast the tab.
const prefix = "costcurve-draft ";

// The draft of a document, by what tells it from others: kind, id and the revision that it is based on.
export function draftOf(parts) {
  const key = prefix + JSON.stringify(parts);
  const tried = (run) => {
    try {
      return run();
    } catch {
      return null; // without storage, drafts last as long as the page
    }
  };
  return {
    read: () => tried(() => JSON.parse(localStorage.getItem(key))),
    write: (draft) => tried(() => localStorage.setItem(key, JSON.stringify(draft))),
    forget: () => tried(() => localStorage.removeItem(key)),
  };
}
