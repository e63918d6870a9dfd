// A bot for both games in JavaScript: node alone, no packages (docs/reference/protocol.md).
//
// It stands on 18 or better in Pazaak, and wants 18 or better of its hand in Sabacc. It looks at
// nothing but the observation, so that any number of matches can go on at once; a bot that
// remembers things keeps them by the message's `match`.

"use strict";

const GOOD = 18;
const POOR = 6;
const AVERAGE = 7;
const RANKS = { Commander: 12, Mistress: 13, Master: 14, Ace: 15 };
const CHARACTERS = {
  // By the rules of the Old Republic; other variants have other values.
  Idiot: 0, Rancor: 9, "Jedi Knight": 3, "Jedi Master": 3,
  "Dark Jedi": -14, "Lord of the Sith": 10, Smuggler: 10, "Bounty Hunter": 9,
};
const WILD = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11];

let choose = null;

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") {
      choose = message.game === "pazaak" ? pazaak : sabacc;
      say({ protocol: 1, name: "javascript", games: ["pazaak", "sabacc"], batch: 64 });
    } else if (message.type === "start") {
      say({ id: message.id, loadout: sideDeck(message.offer) });
    } else if (message.type === "decide") {
      say({ id: message.id, action: choose(message.observation) });
    }
  });

// Sends an answer at once: the harness waits for it.
function say(answer) {
  process.stdout.write(JSON.stringify(answer) + "\n");
}

// Ten different cards for Pazaak, those of either sign first; null takes the default.
function sideDeck(offer) {
  if (!offer) return null;
  const kinds = [...new Set(offer.catalogue)];
  const eitherSign = (card) => (card.startsWith("±") ? 0 : 1);
  kinds.sort((one, other) => eitherSign(one) - eitherSign(other));
  const size = offer.sizes[0];
  return kinds.length >= size ? kinds.slice(0, size).join(" ") : null;
}

// A hand card that makes a good total, else stand on a good total, else end the turn.
function pazaak(seen) {
  const { total, legal_actions: legal } = seen;
  const good = seen.rival_standing ? Math.min(seen.rival_total + 1, 20) : GOOD;
  const content = good <= total && total <= 20;
  if (!content) {
    let best = null;
    for (const text of legal) {
      if (!text.startsWith("play")) continue;
      const after = total + added(text);
      const fits = after <= 20 && (after >= good || total > 20);
      if (fits && (best === null || after > total + added(best))) best = text;
    }
    if (best !== null) return best;
  }
  return content ? "stand" : "end turn";
}

// The number that a card adds, at the end of "play +3" and "play ±4 as -4"; else 0.
function added(text) {
  const last = text.split(" ").pop();
  return /^[+-]\d+$/.test(last) ? Number(last) : 0;
}

// Improves a weak hand, folds a poor one where staying costs, and bets the least.
function sabacc(seen) {
  const { hand, legal_actions: legal } = seen;
  const worth = strength(hand.map(printed));
  const exchanges = legal.filter((text) => text === "keep" || text.startsWith("exchange"));
  if (exchanges.length > 0) {
    return worth >= GOOD && legal.includes("keep") ? "keep" : nearest(hand, exchanges);
  }
  if (legal.includes("draw") && worth < GOOD) return "draw";
  for (const free of ["pass", "check"]) {
    if (legal.includes(free)) return free;
  }
  if (worth >= POOR) {
    for (const word of ["call", "put", "all in"]) {
      const stake = legal.find((text) => text.startsWith(word)); // the least is listed first
      if (stake !== undefined) return stake;
    }
  }
  return legal.includes("fold") ? "fold" : legal[0];
}

// The exchange that comes nearest to 23 if average cards come for those given away.
function nearest(hand, exchanges) {
  const distance = (text) => {
    const given = new Set(text.split(" ").slice(1).map(Number));
    const kept = hand.map((card, index) => (given.has(index + 1) ? AVERAGE : printed(card)));
    return Math.abs(23 - kept.reduce((sum, value) => sum + value, 0));
  };
  return exchanges.reduce((best, text) => (distance(text) < distance(best) ? text : best));
}

// 0 to 23; a five is any of 1 to 11 or -1 to -11, whatever is best.
function strength(values, total = 0) {
  if (values.length === 0) return worthOf(total);
  const [first, ...rest] = values;
  const choices = first === 5 ? WILD : [first];
  return Math.max(...choices.map((value) => strength(rest, total + value)));
}

// The worth of a total: 23 for a sabacc, 0 for a hand that loses.
function worthOf(total) {
  if (total === 23 || total === 46 || total === -23) return 23;
  if (0 <= total && total <= 45) return total % 23;
  return -23 < total && total < 0 ? -total : 0;
}

// The value of "7 of Coins", "Ace of Sabers", "Jedi Master".
function printed(card) {
  if (card in CHARACTERS) return CHARACTERS[card];
  const rank = card.split(" ")[0];
  return RANKS[rank] ?? Number(rank);
}
