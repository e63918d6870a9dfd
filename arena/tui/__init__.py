"""The terminal applications that fill the screen: playing and watching (the extra ``tui``)."""
