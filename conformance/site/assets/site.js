// The matrix: filters, order, arrow keys. Everything is readable without; nothing here makes HTML out of text.
"use strict";
document.documentElement.classList.add("script");
document.addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("grid");
  if (table) {
    matrix(table, document.getElementById("filters"));
  }
});

function matrix(table, form) {
  const head = table.tHead.rows[0];
  const body = table.tBodies[0];
  const providers = [...head.cells].slice(2).map((cell, place) => ({
    cell, place, key: cell.dataset.key, name: cell.querySelector("a").textContent, recorded: "recorded" in cell.dataset,
  }));
  const quirks = [...body.rows].map((row, place) => ({
    row, place, ...row.dataset, text: row.cells[0].textContent.toLowerCase(), cells: [...row.cells].slice(2),
    shownBy: Number(row.cells[1].textContent),
  }));
  for (const quirk of quirks) {
    quirk.kinds = quirk.cells.map((cell) => [...cell.querySelectorAll("[data-hit]")].map((mark) => mark.classList[0]));
  }

  function update() {
    const state = read(form);
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = quirks.filter((quirk) => state.level.includes(quirk.level)
      && (!state.area || quirk.area === state.area) && words.every((word) => quirk.text.includes(word)));
    const chosen = providers.filter((one) => !state.provider.length || state.provider.includes(one.key));
    const hit = (quirk, one) => quirk.kinds[one.place].some((kind) => state.kind.includes(kind));
    const rows = new Set(state.all ? wanted : wanted.filter((quirk) => chosen.some((one) => hit(quirk, one))));
    const columns = new Set(state.all || state.provider.length ? chosen
      : chosen.filter((one) => [...rows].some((quirk) => hit(quirk, one))));
    show(rows, columns);
    order(state, (quirk, one) => rows.has(quirk) && hit(quirk, one));
    for (const kind of ["recorded", "published", "reported"]) {
      table.classList.toggle(`no-${kind}`, !state.kind.includes(kind));
    }
    form.elements.chosen.value = state.provider.length ? String(state.provider.length) : "all";
    form.elements.status.value =
      `${rows.size} of ${quirks.length} quirks, ${columns.size} of ${providers.length} providers`;
    document.getElementById("nothing").hidden = rows.size > 0 && columns.size > 0;
    rove();
  }

  function show(rows, columns) {
    for (const one of providers) {
      one.cell.hidden = !columns.has(one);
    }
    for (const quirk of quirks) {
      quirk.row.hidden = !rows.has(quirk);
      if (rows.has(quirk)) {
        quirk.cells.forEach((cell, place) => { cell.hidden = !columns.has(providers[place]); });
      }
    }
    table.classList.remove("starting");
  }

  function order(state, hit) {
    const count = new Map(providers.map((one) => [one, quirks.filter((quirk) => hit(quirk, one)).length]));
    const byRow = {
      name: (a, b) => compare(a.slug, b.slug),
      area: (a, b) => compare(a.area, b.area) || a.place - b.place,
      spread: (a, b) => b.shownBy - a.shownBy || a.place - b.place,
    }[state.rows] ?? ((a, b) => a.place - b.place);
    const byColumn = {
      name: (a, b) => compare(a.name, b.name),
      count: (a, b) => count.get(b) - count.get(a) || a.place - b.place,
    }[state.columns] ?? ((a, b) => a.place - b.place);
    const columns = [...providers].sort(byColumn);
    head.append(...columns.map((one) => one.cell));
    body.append(...[...quirks].sort(byRow).map((quirk) => quirk.row));
    for (const quirk of quirks) {
      quirk.row.append(...columns.map((one) => quirk.cells[one.place]));
    }
  }

  // one stop for the Tab key; from there the arrow keys move over what is shown
  const stop = (cell) => cell.querySelector("a") ?? cell;
  const rowsShown = () => [head, ...body.rows].filter((row) => !row.hidden);
  const cellsShown = (row) => [...row.cells].filter((cell) => !cell.hidden);

  function rove(target = null) {
    for (const old of table.querySelectorAll("[tabindex='0']")) {
      old.tabIndex = -1;
    }
    const cell = target ?? rowsShown().map(cellsShown).at(1)?.[0];
    if (cell) {
      stop(cell).tabIndex = 0;
    }
  }

  table.setAttribute("role", "grid");
  for (const one of table.querySelectorAll("a")) {
    one.tabIndex = -1;
  }
  table.addEventListener("focusin", (event) => rove(event.target.closest("td, th")));
  table.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td, th");
    const rows = rowsShown();
    const y = rows.indexOf(cell?.parentElement);
    if (y < 0 || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const x = cellsShown(rows[y]).indexOf(cell);
    const last = cellsShown(rows[y]).length - 1;
    const to = {
      ArrowUp: [y - 1, x], ArrowDown: [y + 1, x], ArrowLeft: [y, x - 1], ArrowRight: [y, x + 1],
      Home: [y, 0], End: [y, last], PageUp: [Math.max(y - 10, 1), x], PageDown: [Math.min(y + 10, rows.length - 1), x],
    }[event.key];
    const next = to && rows[to[0]] && cellsShown(rows[to[0]])[to[1]];
    if (to) {
      event.preventDefault();
    }
    if (next) {
      stop(next).tabIndex = 0;
      stop(next).focus();
    }
  });

  form.addEventListener("input", () => { update(); keep(form); });
  form.addEventListener("reset", () => setTimeout(() => { update(); keep(form); }));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", () => { fill(form); update(); });
  fill(form);
  if (matchMedia("(max-width: 40rem)").matches) {
    document.querySelector("details.key").open = false;
  }
  update();
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What the form says: text by name, and lists of what is ticked. */
function read(form) {
  const data = new FormData(form);
  return {
    q: data.get("q"), area: data.get("area"), rows: data.get("rows"), columns: data.get("columns"),
    all: data.has("all"), level: data.getAll("level"), kind: data.getAll("kind"), provider: data.getAll("provider"),
  };
}

/** Keep in the address what differs from the beginning, so that a view can be passed on. */
function keep(form) {
  const kept = new URLSearchParams();
  for (const name of new Set([...form.elements].map((one) => one.name).filter(Boolean))) {
    const fields = [...form.elements].filter((one) => one.name === name && one.type !== "fieldset");
    const ticks = fields.filter((one) => one.type === "checkbox");
    if (ticks.length) {
      if (ticks.some((one) => one.checked !== one.defaultChecked)) {
        kept.set(name, ticks.filter((one) => one.checked).map((one) => one.value).join(","));
      }
    } else if (fields[0].value && fields[0].tagName !== "OUTPUT") {
      kept.set(name, fields[0].value);
    }
  }
  history.replaceState(null, "", kept.size ? `#${kept}` : location.pathname + location.search);
}

/** Set the form to what the address says; an address that only names a place on the page changes nothing. */
function fill(form) {
  if (location.hash.length > 1 && !location.hash.includes("=")) {
    return;
  }
  const kept = new URLSearchParams(location.hash.slice(1));
  form.reset();
  for (const one of form.elements) {
    if (kept.has(one.name)) {
      if (one.type === "checkbox") {
        one.checked = kept.get(one.name).split(",").includes(one.value);
      } else if (one.tagName !== "OUTPUT") {
        one.value = kept.get(one.name);
      }
    }
  }
}
