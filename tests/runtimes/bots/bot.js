const fs = require("node:fs");
const limit = Number(fs.readFileSync("limit.txt", "utf8"));
const lines = require("node:readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { type, id, observation } = JSON.parse(line);
  const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");
  if (type === "hello") say({ protocol: 1, games: ["pazaak"] });
  else if (type === "start") say({ id });
  else if (type === "decide") say({ id, action: observation.total >= limit ? "stand" : "end turn" });
});
