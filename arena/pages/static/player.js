/* Walks through the steps of a match. Without it one step is shown, and the others are links. */
"use strict";

(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const STEP = 1600, HOLD = 4000; // milliseconds of a step and of a scene that is held, at 1x
  const SPEEDS = [1, 2, 4];

  /* Motion: cards are dealt and turned, and the chips of a middle go to who won them. */

  const used = (card) => card.firstElementChild.getAttribute("href");

  function moved(element, frames, duration) {
    if (!still.matches) element.animate(frames, { duration, easing: "ease-out" });
  }

  function deal(before, after) {
    for (const seat of after.querySelectorAll(".seat")) {
      const place = [...seat.classList].find((name) => /^at\d/.test(name));
      const old = before.querySelector(`.seat.${place}`);
      for (const kind of [".squares", ".hand"]) {
        const cards = [...seat.querySelectorAll(`${kind} .card`)];
        const olds = old ? [...old.querySelectorAll(`${kind} .card`)] : [];
        const had = olds.map(used);
        cards.forEach((card, at) => {
          if (used(card) === had[at]) return;
          const turned = cards.length === olds.length && !had.includes(used(card));
          if (turned) moved(card, [{ transform: "scaleX(0)" }, { transform: "none" }], 200);
          else if (!had.includes(used(card)) || at >= olds.length) {
            moved(card, [{ transform: "translateY(-18px)", opacity: 0 }, { transform: "none", opacity: 1 }], 240);
          }
        });
      }
    }
    const pile = after.querySelector(".mid.show .pot"), won = after.querySelector(".seat.won .money");
    if (!pile || !won) return;
    const from = pile.getBoundingClientRect(), to = won.getBoundingClientRect();
    for (const chips of pile.querySelectorAll(".stack")) {
      const path = `translate(${to.left - from.left}px, ${to.top - from.top}px) scale(.6)`;
      moved(chips, [{ transform: "none" }, { transform: path }], 300);
    }
  }

  class Player {
    constructor(root) {
      this.root = root;
      this.steps = [...root.querySelectorAll(".moment")];
      this.now = -1;
      this.speed = 1;
      this.timer = 0;
      this.bar = null;
      root.addEventListener("click", (event) => {
        const go = event.target.closest("[data-go]");
        if (!go || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.act(go.dataset.go);
      });
      for (const each of root.querySelectorAll("[data-go][hidden], .controls")) each.hidden = false;
      root.classList.add("live");
    }

    get last() { return this.steps.length - 1; }

    get held() { return "held" in this.steps[this.now].dataset; }

    act(name) {
      if (name === "play") this.play(!this.timer);
      else if (name === "next") this.go(this.now + 1);
      else return false;
      return true;
    }

    /* Goes to a step by hand: playing goes on from there, after the time of a step. */
    go(index) {
      this.show(index);
      if (this.timer) this.play(true, this.now < this.last);
    }

    show(index) {
      const to = Math.min(Math.max(index, 0), this.last);
      if (to === this.now) return false;
      const before = this.steps[this.now];
      before?.classList.remove("now");
      this.steps[to].classList.add("now");
      if (before && to === this.now + 1) deal(before, this.steps[to]);
      this.now = to;
      return true;
    }

    play(on, going = true) {
      clearTimeout(this.timer);
      this.bar?.cancel();
      this.bar = null;
      this.timer = 0;
      const playing = on && going;
      this.root.classList.toggle("playing", playing);
      for (const button of this.root.querySelectorAll("[data-go=play]")) {
        button.setAttribute("aria-label", playing ? "Pause" : "Play");
      }
      if (!playing) return;
      if (this.now === this.last) this.show(0);
      const time = (this.held ? HOLD : STEP) / this.speed;
      const bar = this.held && this.steps[this.now].querySelector(".hold rect");
      if (bar && !still.matches) {
        this.bar = bar.animate([{ transform: "scaleX(0)" }, { transform: "none" }], time);
      }
      this.timer = setTimeout(() => {
        this.show(this.now + 1);
        this.play(true, this.now < this.last);
      }, time);
    }
  }

  /* A board among other things plays while it can be seen, once. */

  class Small extends Player {
    constructor(root) {
      super(root);
      const start = Math.max(this.steps.findIndex((step) => step.matches(".start")), 0);
      this.show(still.matches ? start : 0);
      if (still.matches) return;
      new IntersectionObserver((entries, seen) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        seen.disconnect();
        this.play(true);
      }).observe(root);
      document.addEventListener("visibilitychange", () => {
        if (document.hidden && this.timer) this.play(false);
      });
    }
  }

  /* The page of a match. */

  class Match extends Player {
    constructor(root) {
      super(root);
      this.own = this.steps.filter((step) => /^m\d+$/.test(step.id));
      this.lastMove = this.own.length - 1;
      this.starts = this.own.filter((step) => step.dataset.part).map((step) => this.steps.indexOf(step));
      this.slider = root.querySelector(".timebox input");
      this.slider.hidden = false;
      this.list = root.querySelector(".keys");
      this.list.hidden = false;
      this.later = [...root.querySelectorAll("[data-move]")].filter((each) => !each.matches(".moment"));
      this.path = root.dataset.step;
      this.queries = !this.path.startsWith("#");
      this.listen();
      this.show(this.asked(), { quiet: true, silent: true });
      this.follow();
    }

    /* Addresses: ?move=17 from a server, #m17 in a file; a page of a server takes #m17, too. */

    asked() {
      const found = /^#(m\d+(h\d+)?)$/.exec(location.hash);
      const move = new URLSearchParams(location.search).get("move") ?? this.root.dataset.start;
      const step = this.steps.findIndex((each) => each.id === (found ? found[1] : `m${Number(move)}`));
      return Math.max(step, 0); // an unknown move must not show the end
    }

    atMove(text) {
      const { move } = this.steps[this.now].dataset;
      const address = new URL(text, location.href);
      if (this.queries) address.searchParams.set("move", move);
      address.hash = this.queries ? "" : `m${move}`;
      return address.href;
    }

    remember() { history.replaceState(null, "", this.atMove(location.href)); }

    follow() {
      if (/^#m\d/.test(location.hash)) this.show(this.asked(), { quiet: true });
      if (this.queries && /^#m\d/.test(location.hash)) this.remember(); // one address names one move
    }

    show(index, { quiet = false, silent = false } = {}) {
      if (!super.show(index)) return false;
      const { root } = this;
      const step = this.steps[this.now];
      const move = Number(step.dataset.move);
      const text = step.querySelector(".told");
      if (text) text.open = this.telling ?? false;
      root.classList.toggle("over", this.now === this.last);
      this.slider.value = move;
      const part = this.starts.filter((start) => start <= this.now).at(-1);
      const name = part === undefined ? "" : `${this.steps[part].dataset.part}, `;
      this.slider.setAttribute("aria-valuetext", `${name}move ${move} of ${this.lastMove}`);
      const place = (100 * move) / Math.max(this.lastMove, 1);
      root.querySelector(".tl-knob").setAttribute("x", `${place}%`);
      const all = root.matches(".revealed");
      root.querySelector(".clip").setAttribute("width", all ? 1000 : 10 * place);
      for (const each of this.later) {
        const own = Number(each.dataset.move);
        each.classList.toggle("later", own > move);
        if (!each.matches("li")) continue;
        if (own === move) each.setAttribute("aria-current", "step");
        else each.removeAttribute("aria-current");
        if (own === move) this.inSight(each);
      }
      const win = step.dataset.win?.split(" ") ?? [];
      root.querySelectorAll(".odds td").forEach((cell, at) => { cell.textContent = `${win[at]} %`; });
      for (const link of root.querySelectorAll(".views a")) link.href = this.atMove(link.href);
      if (!silent) this.say(step);
      if (!quiet) this.remember();
      return true;
    }

    inSight(row) {
      const box = row.closest(".moves");
      const place = row.offsetTop;
      if (place < box.scrollTop || place > box.scrollTop + box.clientHeight - 40) {
        box.scrollTop = place - box.clientHeight / 2;
      }
    }

    say(step) {
      if (this.timer && this.speed > 2) return;
      const lines = step.querySelectorAll(".told > :is(h2, .decision, .remark), .told li");
      const told = [...lines].map((each) => each.textContent.trim()).join(". ");
      this.root.querySelector(".spoken").textContent = told;
    }

    setSpeed(speed) {
      if (!SPEEDS.includes(speed)) return;
      this.speed = speed;
      for (const button of this.root.querySelectorAll("[data-speed]")) {
        button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === speed));
      }
      if (this.timer) this.play(true);
    }

    act(name) {
      const actions = {
        first: () => this.leap(0),
        last: () => this.leap(this.last),
        back: () => this.leap(this.now - 1),
        next: () => (this.timer && this.held ? this.go(this.now + 1) : this.leap(this.now + 1)),
        "part-next": () => this.leap(this.starts.find((start) => start > this.now) ?? this.last),
        "part-back": () => this.leap(this.starts.findLast((start) => start < this.now) ?? 0),
        play: () => this.play(!this.timer),
        faster: () => this.setSpeed(this.speed * 2),
        slower: () => this.setSpeed(this.speed / 2),
        flip: () => this.root.classList.toggle("flipped"),
        keys: () => { this.list.open = !this.list.open; },
        reveal: () => this.reveal(),
        worst: () => this.leapTo(this.root.querySelector("[data-go=worst]").getAttribute("href")),
      };
      actions[name]?.();
    }

    leap(index) {
      this.play(false);
      this.show(index);
    }

    leapTo(address) {
      const id = address.includes("#m") ? address.slice(address.indexOf("#m") + 1) : `m${address.slice(this.path.length)}`;
      this.leap(this.steps.findIndex((step) => step.id === id));
    }

    reveal() {
      this.root.classList.add("revealed");
      this.root.querySelector(".clip").setAttribute("width", 1000);
      this.root.querySelector(".moves").focus();
    }

    listen() {
      const keys = {
        ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play",
        "Shift+ArrowRight": "part-next", "Shift+ArrowLeft": "part-back",
        "+": "faster", "=": "faster", "-": "slower", f: "flip", "?": "keys",
      };
      document.addEventListener("keydown", (event) => {
        const { target, key } = event;
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        if (target.matches("textarea, select, input:not([type=range])")) return;
        if ((key === " " || key === "Enter") && target.closest("button, a, summary")) return;
        const name = keys[key.length > 1 && event.shiftKey ? `Shift+${key}` : key.toLowerCase()] ?? keys[key];
        const view = this.root.querySelector(`.views a[data-key="${CSS.escape(key.toLowerCase())}"]`);
        if (name) {
          event.preventDefault();
          this.act(name);
        } else if (view && !view.matches("[aria-current]")) {
          location.assign(view.href); // another view is another page, which the server may refuse
        } else if (this.held && (key.length === 1 || key === "Enter")) {
          this.go(this.now + 1); // any key goes on
        }
      });
      this.root.addEventListener("click", (event) => {
        const { speed } = event.target.closest("[data-speed]")?.dataset ?? {};
        if (speed) this.setSpeed(Number(speed));
        const link = event.target.closest("a:not([data-go], .views a)");
        const address = link?.getAttribute("href") ?? "";
        if (!link || !(address.startsWith(this.path) || address.startsWith("#m")) || event.defaultPrevented) return;
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.leapTo(address);
      });
      this.slider.addEventListener("input", () => {
        this.leap(this.steps.indexOf(this.own[Number(this.slider.value)]));
      });
      this.root.addEventListener("toggle", (event) => {
        if (event.target.matches(".now .told")) this.telling = event.target.open;
      }, true);
      addEventListener("hashchange", () => this.follow());
    }
  }

  const known = new WeakSet();
  const begin = () => {
    for (const root of document.querySelectorAll("[data-player=small]")) {
      if (!known.has(root)) new Small(root);
      known.add(root);
    }
  };
  begin();
  document.addEventListener("htmx:after:swap", begin); // a live page has got another match
  const match = document.querySelector("[data-player=match]");
  if (match?.querySelector(".moment")) new Match(match);
})();
