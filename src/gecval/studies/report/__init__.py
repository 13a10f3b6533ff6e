"""One HTML page about systems: verdict, tests, types of errors, every sentence."""
