require "json"

$stdout.sync = true
limit = File.read("limit.txt").to_i

while (line = $stdin.gets)
  message = JSON.parse(line)
  case message["type"]
  when "hello" then puts JSON.generate({ protocol: 1, games: ["pazaak"] })
  when "start" then puts JSON.generate({ id: message["id"] })
  when "decide"
    action = message["observation"]["total"] >= limit ? "stand" : "end turn"
    puts JSON.generate({ id: message["id"], action: action })
  end
end
