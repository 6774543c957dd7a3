// The reader: at every section its id to copy, and its text as an agent gets it.

import { copy } from "./site.mjs";

const { words: w, static: isStatic, prefix, sections } = JSON.parse(document.getElementById("_data").textContent);
const root = new URL("../", import.meta.url);

// forAgent is the text that an agent gets for a section and its neighbours, or
// for a curated entry.
async function forAgent(at) {
  const ids = [at - 1, at, at + 1].filter((i) => sections[i]).map((i) => prefix + sections[i].i);
  const id = prefix + sections[at].i;
  if (isStatic) return fromFiles(id.includes("::") ? ids : [id]);
  const params = id.includes("::") ? { name: "get_section", arguments: { ids, max_bytes: 0 } } : { name: "get_entry", arguments: { id } };
  try {
    const answer = await fetch(new URL("mcp", root), {
      method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const { result } = await answer.json();
    if (!result.isError) return result.content.map((c) => c.text).join("\n");
  } catch {
    // gone, or its tools are closed: what an export would do
  }
  return fromFiles(id.includes("::") ? ids : [id]);
}

// fromFiles reads sections without a server.
async function fromFiles(ids) {
  const [{ Source }, { marker }] = await Promise.all([import("./source.mjs"), import("./evergreen.mjs")]);
  const { indexes } = await new Source(true).load(), texts = [];
  for (const id of ids) {
    const entry = await find(indexes, id);
    if (entry) texts.push(`## ${marker(entry)} ${entry.title}\n\n${entry.body}`);
  }
  if (!texts.length) throw new Error("nothing found");
  return texts.join("\n\n");
}

async function find(indexes, id) {
  for (const index of indexes) {
    for (let i = 0; i < index.size; i++) {
      if (index.id(i) !== id) continue;
      const entry = index.entry(i);
      await index.load(i, entry);
      return entry;
    }
  }
  return null;
}

function button(label, title, act) {
  const b = document.createElement("button");
  Object.assign(b, { type: "button", className: "small plain", textContent: label, title });
  b.addEventListener("click", async () => {
    try {
      await copy(await act(), b);
    } catch {
      b.textContent = w.Failed;
    }
  });
  return b;
}

sections.forEach(({ a, i }, at) => {
  const heading = document.getElementById(a);
  if (!heading) return;
  const tools = document.createElement("p");
  tools.className = "tools screen";
  tools.lang = document.getElementById("_top").lang;
  tools.append(button(w.CopyID, prefix + i, async () => prefix + i), button(w.CopyText, w.CopyHelp, () => forAgent(at)));
  for (const b of tools.children) b.setAttribute("aria-label", `${b.textContent}: ${heading.textContent}`);
  heading.after(tools);
});

const page = document.getElementById("_copypage");
page.hidden = false;
page.addEventListener("click", async () => {
  try {
    await copy(await (await fetch(page.dataset.from)).text(), page);
  } catch {
    page.textContent = w.Failed;
  }
});
