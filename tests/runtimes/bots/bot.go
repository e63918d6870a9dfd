package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type message struct {
	Type        string
	Id          int
	Observation struct{ Total int }
}

func main() {
	var limit int
	text, _ := os.ReadFile("limit.txt")
	fmt.Sscan(strings.TrimSpace(string(text)), &limit)
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var seen message
		json.Unmarshal(line, &seen)
		switch seen.Type {
		case "hello":
			fmt.Println(`{"protocol":1,"games":["pazaak"]}`)
		case "start":
			fmt.Printf("{\"id\":%d}\n", seen.Id)
		case "decide":
			action := "end turn"
			if seen.Observation.Total >= limit {
				action = "stand"
			}
			fmt.Printf("{\"id\":%d,\"action\":%q}\n", seen.Id, action)
		}
	}
}
