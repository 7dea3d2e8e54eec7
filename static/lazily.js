// A part of the page that is loaded when it is first asked for. One that can't be fetched means that the daemon is gone: a module has no
// other reason to be missing.
export const lazily = (module) =>
  module.catch(() => {
    throw Object.assign(new Error("The daemon does not answer. Is costcurve serve running?"), { title: "No connection" });
  });
