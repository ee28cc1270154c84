// How a page reaches its tables over HTTP. The page loads the module that its
// data-transport names; another one needs the same exports:
//
//   connect()                   -> a transport, or an error
//   transport.catalog()         -> table.Catalog
//   transport.rules(game)       -> table.RulesPage
//   transport.open(setup)       -> { id, view }: a new table of a table.Setup
//   transport.send(id, request) -> view, after a table.Request
//   transport.at(id, n)         -> table.Past: the position after n decisions
//   transport.rules(game)       -> table.RulesPage
//   transport.watch(id, after, signal)
//                               -> the view once its version is not `after`, or the
//                                  same one after a while
//
// All return promises. A rejection is an Error whose message is for people; its
// `gone` is true if the table no longer exists. `signal` cancels the wait; a transport
// may ignore it.

async function ask(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      signal,
    });
  } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new Error("The program cannot be reached. Is it still running?");
  }
  let data = {};
  try {
    data = await answer.json();
  } catch {
    // It is not an answer of ours: its status must do.
  }
  if (!answer.ok) {
    const e = new Error(data.error || `The program answered ${answer.status}.`);
    e.gone = answer.status === 404;
    throw e;
  }
  return data;
}

export async function connect() {
  return {
    catalog: () => ask("GET", "api/catalog"),
    rules: (game) => ask("GET", `api/rules?game=${encodeURIComponent(game)}`),
    open: (setup) => ask("POST", "api/tables", setup),
    send: (id, request) => ask("POST", `api/tables/${encodeURIComponent(id)}`, request),
    at: (id, n) => ask("GET", `api/tables/${encodeURIComponent(id)}?at=${n}`),
    rules: (game) => ask("GET", `api/rules?game=${encodeURIComponent(game)}`),
    watch: (id, after, signal) => ask("GET", `api/tables/${encodeURIComponent(id)}?after=${after}`, undefined, signal),
  };
}
