"""The rule cases of Pazaak: the case driver, and the reader of the given situation."""
