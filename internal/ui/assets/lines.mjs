// Commands that ask a question, as internal/ui/lines.go writes them.

const quoted = (s) => "'" + s.replaceAll("'", "'\\''") + "'";

// address is a question as the query of an address, defaults left out.
export function address({ topic, budget, collection, category }, fallback) {
  const pairs = [["topic", topic]];
  if (budget !== fallback) pairs.push(["budget", String(budget)]);
  if (collection) pairs.push(["collection", collection]);
  if (category) pairs.push(["category", category]);
  return pairs.map(([name, value]) => name + "=" + escape(value)).join("&");
}

// escape writes a value as Go's url.QueryEscape does.
const escape = (s) => encodeURIComponent(s).replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase()).replaceAll("%20", "+");

// lines are the commands by the id of the element that shows them.
export function lines(q, base, fallback) {
  const { topic, budget, collection, category } = q;
  let cli = "evergreen context " + quoted(topic);
  if (budget !== fallback) cli += " --budget " + budget;
  if (collection) cli += " -c " + quoted(collection);
  if (category) cli += " --category " + quoted(category);
  const call = JSON.stringify({
    jsonrpc: "2.0", id: 1, method: "tools/call",
    params: { name: "search_context", arguments: { query: topic, budget, ...(collection && { collection }), ...(category && { category }) } },
  }).replace(/[\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16)); // as Go writes them
  return {
    _curl: "curl " + quoted(`${base}/api/context?${address(q, fallback)}`),
    _mcp: `curl ${quoted(base + "/mcp")} --json ${quoted(call)}`,
    _cli: cli,
  };
}
