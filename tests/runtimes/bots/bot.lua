io.stdout:setvbuf("line")
local limit = tonumber(io.open("limit.txt"):read("a"))

for line in io.lines() do
  local type, id = line:match('"type":"(%a+)"'), line:match('"id":(%d+)')
  if type == "hello" then
    print('{"protocol":1,"games":["pazaak"]}')
  elseif type == "start" then
    print('{"id":' .. id .. "}")
  elseif type == "decide" then
    local total = tonumber(line:match('"total":(-?%d+)'))
    print('{"id":' .. id .. ',"action":"' .. (total >= limit and "stand" or "end turn") .. '"}')
  end
end
