"""Its place puts this folder on the import path, so that the tests below can import bot_play."""
