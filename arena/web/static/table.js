/* The keys of a table, where the focus goes, and the time that is left for a decision. Without it the page works by its buttons. */
"use strict";
(() => {
  let typed = "", shown = null, until = 0, focused = null;

  const all = (selector) => [...document.querySelectorAll(`.sitting ${selector}`)];
  const numbered = (number) => all(`button[data-key="${Number(number)}"]`)[0];

  function press(found) {
    typed = "";
    if (!found) return;
    const amount = found.form && found.form.querySelector("input[type=number]");
    if (amount && document.activeElement !== amount) {
      amount.focus();
      amount.select();
    } else {
      found.click();
      if (found.matches("summary") && found.parentElement.open) found.parentElement.querySelector("button")?.focus();
    }
  }

  /* A digit that may be the first of two has the focus go to its action, and waits for the second, or for Enter. */
  function digit(key) {
    const number = typed + key;
    if (Number(number) * 10 > all("button[data-key]").length) press(numbered(number));
    else if (numbered(number)) {
      numbered(number).focus();
      typed = number;
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches("input, textarea, select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (/^[0-9]$/.test(event.key)) {
      event.preventDefault(); /* or it would be typed into the amount that gets the focus */
      digit(event.key);
    } else if (event.key === "Enter" && typed) {
      event.preventDefault();
      press(numbered(typed));
    } else {
      typed = "";
      const name = CSS.escape(event.key);
      const found = /^[a-z?]$/.test(event.key) && all(`[data-key="${name}"], [data-letter="${name}"]`)[0];
      if (found) {
        event.preventDefault();
        press(found);
      }
    }
  });

  /* What had the focus goes with its question: the focus is then on the heading of the next, which is read out. */
  document.addEventListener("focusin", (event) => { focused = event.target; });
  new MutationObserver(() => {
    if (!focused || focused.isConnected) return;
    focused = null;
    typed = "";
    if (document.activeElement === document.body) all(".controls h2")[0]?.focus({ preventScroll: true });
  }).observe(document.querySelector("#live") || document.body, { childList: true, subtree: true });

  /* The second click of a double click would take an action of the next decision. */
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest(".choices button")) event.preventDefault();
  }, true);

  setInterval(() => {
    const clock = all(".clock")[0];
    if (!clock) {
      shown = null;
      return;
    }
    const question = `${clock.dataset.question} ${clock.dataset.left}`;
    if (question !== shown) {
      shown = question;
      until = performance.now() + 1000 * Number(clock.dataset.left);
    }
    const left = Math.max(0, Math.round((until - performance.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
    clock.classList.toggle("short", left < 30);
  }, 500);
})();
