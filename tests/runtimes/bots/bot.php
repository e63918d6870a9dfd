<?php
$limit = (int) file_get_contents("limit.txt");

while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true);
    if ($message["type"] === "hello") $answer = ["protocol" => 1, "games" => ["pazaak"]];
    elseif ($message["type"] === "start") $answer = ["id" => $message["id"]];
    elseif ($message["type"] === "decide") {
        $action = $message["observation"]["total"] >= $limit ? "stand" : "end turn";
        $answer = ["id" => $message["id"], "action" => $action];
    } else continue;
    fwrite(STDOUT, json_encode($answer) . "\n");
}
