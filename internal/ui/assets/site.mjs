// What every page has: the switch of looks, the language that was chosen kept
// from page to page, keys, buttons that copy.
//
// In markup: data-key="/" gives an element a key (fields are focused, links and
// buttons clicked), data-copy="TEXT" or data-copy-from="ID" makes a button copy.

const root = document.documentElement;

// ---- looks

const theme = document.getElementById("_theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("evergreen:theme", root.dataset.theme);
  } catch {
    // kept for this page only
  }
});

// ---- language

// chosen is the language that the address asks for, "" for none.
const chosen = new URLSearchParams(location.search).get("lang") ?? "";

// keepLang has a link lead to its page in the chosen language.
export function keepLang(link) {
  const to = new URL(link.href, location.href);
  if (!chosen || to.origin !== location.origin || to.searchParams.has("lang") || /\.(md|txt|json|xml)$/.test(to.pathname)) return;
  if (to.pathname === location.pathname && to.hash && to.search === "") return;
  to.searchParams.set("lang", chosen);
  link.href = to;
}

if (chosen) {
  for (const link of document.links) keepLang(link);
  for (const form of document.forms) {
    if (form.elements.lang) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "lang", value: chosen });
    form.append(field);
  }
}

// ---- keys

const typing = (e) => e.target.closest?.("input:not([type=range]), textarea, select, [contenteditable]");

addEventListener("keydown", (e) => {
  if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || typing(e)) return;
  const target = document.querySelector(`[data-key="${CSS.escape(e.key)}"]`);
  if (!target) return;
  e.preventDefault();
  if (target.matches("input, textarea, select")) {
    target.focus();
    target.select?.();
  } else {
    target.click();
    if (target.matches("summary")) target.focus();
  }
});

// ---- copying

// copy puts a text on the clipboard and says so on the button for a moment.
export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy"); // where pages without TLS have no clipboard
    field.remove();
    button.focus();
  }
  button.dataset.label ??= button.textContent;
  button.dataset.name ??= button.getAttribute("aria-label") ?? "";
  button.textContent = document.getElementById("_top").dataset.copied;
  button.removeAttribute("aria-label"); // which would hide the word
  setTimeout(() => {
    button.textContent = button.dataset.label;
    if (button.dataset.name) button.setAttribute("aria-label", button.dataset.name);
  }, 1500);
}

addEventListener("click", (e) => {
  const button = e.target.closest?.("[data-copy], [data-copy-from]");
  if (!button) return;
  const from = button.dataset.copyFrom;
  copy(from ? document.getElementById(from).textContent : button.dataset.copy, button);
});
