using System;
using System.IO;
using System.Text.RegularExpressions;

class Bot {
  static string Find(string line, string pattern) {
    return Regex.Match(line, pattern).Groups[1].Value;
  }

  static void Main() {
    int limit = int.Parse(File.ReadAllText("limit.txt"));
    for (string line; (line = Console.ReadLine()) != null; ) {
      string type = Find(line, "\"type\":\"(\\w+)\""), id = Find(line, "\"id\":(\\d+)");
      if (type == "hello") Console.WriteLine("{\"protocol\":1,\"games\":[\"pazaak\"]}");
      else if (type == "start") Console.WriteLine("{\"id\":" + id + "}");
      else if (type == "decide") {
        string action = int.Parse(Find(line, "\"total\":(-?\\d+)")) >= limit ? "stand" : "end turn";
        Console.WriteLine("{\"id\":" + id + ",\"action\":\"" + action + "\"}");
      }
    }
  }
}
