/* Walks through the moments of a replay. Without it one is shown, and the others are links. */
"use strict";

(() => {
  const root = document.querySelector(".replay");
  const moments = root ? [...root.querySelectorAll(".moment")] : [];
  const player = root && root.querySelector(".player");
  if (!player) return;

  const last = moments.length - 1;
  const starts = moments.flatMap((moment, index) => (moment.dataset.part ? [index] : []));
  const milliseconds = [2400, 1200, 600, 250];
  const slider = player.querySelector("input");
  const number = player.querySelector("output");
  const spoken = root.querySelector(".spoken");
  const line = root.querySelector(".graph .now");
  const links = [...root.querySelectorAll(".moves a")];
  let now = -1;
  let speed = 2;
  let timer = 0;

  /* Addresses: ?move=17 from a server, #m17 in a file; a page of a server takes #m17, too. */

  const { step } = root.dataset;
  const queries = !step.startsWith("#");

  function asked() {
    const found = /^#m(\d+)$/.exec(location.hash);
    const move = found ? found[1] : new URLSearchParams(location.search).get("move");
    return Number(move ?? root.dataset.start) || 0;
  }

  function atMove(text) {
    const address = new URL(text, location.href);
    if (queries) address.searchParams.set("move", now);
    address.hash = queries ? "" : `m${now}`;
    return address.href;
  }

  function remember() {
    history.replaceState(null, "", atMove(location.href));
  }

  function follow() {
    show(asked(), { quiet: true });
    if (queries && /^#m\d+$/.test(location.hash)) remember(); // one address names one move
  }

  /* One moment is shown. */

  function show(index, { quiet = false, silent = false } = {}) {
    const to = Math.min(Math.max(index, 0), last);
    if (to === now) return;
    moments[now]?.classList.remove("now");
    moments[to].classList.add("now");
    now = to;
    slider.value = to;
    number.textContent = to;
    const part = starts.filter((start) => start <= to).length;
    const name = part ? `${moments[starts[part - 1]].dataset.part}, ` : "";
    slider.setAttribute("aria-valuetext", `${name}move ${to} of ${last}`);
    line?.setAttribute("x1", `${(100 * to) / Math.max(last, 1)}%`);
    line?.setAttribute("x2", `${(100 * to) / Math.max(last, 1)}%`);
    for (const link of links) {
      if (link.getAttribute("href") === `${step}${to}` && !link.parentElement.matches(".part")) {
        link.setAttribute("aria-current", "step");
        const list = link.closest("ol");
        const place = link.offsetTop;
        if (place < list.scrollTop || place > list.scrollTop + list.clientHeight - 40) {
          list.scrollTop = place - list.clientHeight / 2;
        }
      } else {
        link.removeAttribute("aria-current");
      }
    }
    for (const link of root.querySelectorAll(".views a")) link.href = atMove(link.href);
    if (!silent) {
      const lines = moments[to].querySelectorAll(".events > h2, .events > ul > li, .decision, .remark");
      spoken.textContent = [...lines].map((each) => each.textContent.trim()).join(". ");
    }
    if (!quiet) remember();
  }

  function nextPart() {
    return starts.find((start) => start > now) ?? last;
  }

  function partBefore() {
    return starts.findLast((start) => start < now) ?? 0;
  }

  /* Playing: a timer, which ends with the match. */

  function play(on) {
    clearInterval(timer);
    timer = 0;
    const button = player.querySelector("[data-go=play]");
    button.querySelector(".unseen").textContent = on ? "Pause" : "Play";
    player.classList.toggle("playing", on);
    if (!on) return;
    if (now === last) show(0, { silent: true });
    timer = setInterval(() => {
      show(now + 1, { silent: speed > 2 });
      if (now === last) play(false);
    }, milliseconds[speed - 1]);
  }

  function setSpeed(chosen) {
    speed = chosen;
    for (const button of player.querySelectorAll("[data-speed]")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === chosen));
    }
    if (timer) play(true);
  }

  const actions = {
    first: () => show(0),
    last: () => show(last),
    next: () => show(now + 1),
    back: () => show(now - 1),
    "part-next": () => show(nextPart()),
    "part-back": () => show(partBefore()),
    play: () => play(!timer),
    faster: () => setSpeed(Math.min(speed + 1, milliseconds.length)),
    slower: () => setSpeed(Math.max(speed - 1, 1)),
    flip: () => root.classList.toggle("flipped"),
    keys: () => { list.open = !list.open; },
  };
  const keys = {
    ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play",
    "Shift+ArrowRight": "part-next", "Shift+ArrowLeft": "part-back",
    "+": "faster", "=": "faster", "-": "slower", f: "flip", "?": "keys",
  };
  const moves = new Set(["first", "last", "next", "back", "part-next", "part-back"]);
  const list = player.querySelector(".keys");

  function act(name) {
    if (moves.has(name)) play(false);
    actions[name]();
  }

  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.matches("textarea, select, input:not([type=range])")) return;
    if (key === " " && target.closest("button, a, summary")) return;
    const name = keys[key.length > 1 && event.shiftKey ? `Shift+${key}` : key.toLowerCase()] ?? keys[key];
    const view = root.querySelector(`.views a[data-key="${CSS.escape(key.toLowerCase())}"]`);
    if (name) {
      event.preventDefault();
      act(name);
    } else if (view && !view.matches("[aria-current]")) {
      location.assign(view.href); // another view is another page, which the server may refuse
    }
  });
  player.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.go) act(button.dataset.go);
    if (button?.dataset.speed) setSpeed(Number(button.dataset.speed));
  });
  slider.addEventListener("input", () => {
    play(false);
    show(Number(slider.value));
  });
  root.addEventListener("click", (event) => {
    const link = event.target.closest(`a[href^="${step}"]:not(.views a)`);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    play(false);
    show(Number(link.getAttribute("href").slice(step.length)));
  });
  addEventListener("hashchange", follow);

  root.classList.add("live");
  player.hidden = false;
  show(asked(), { quiet: true, silent: true });
  follow();
})();
