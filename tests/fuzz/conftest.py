"""Its presence lets the tests of this folder import the helpers beside them."""
