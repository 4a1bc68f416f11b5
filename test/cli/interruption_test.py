#!/usr/bin/env python3
"""Ctrl-C ends an exploration cleanly with what is known; progress appears on a terminal only."""
import json
import os
import pty
import signal
import subprocess
import unittest

from harness import ENDLESS, HEDDLE, HeddleTest

BUGGY_AND_ENDLESS = ENDLESS + "thread failing { error(\"seen\"); }\n"


class Interruption(HeddleTest):
    def interrupted(self, text, *options, with_signal=signal.SIGINT):
        """Runs until the first line of progress, then interrupts. Returns exit code, result and progress."""
        path = self.write("endless.hed", text)
        leader, follower = pty.openpty()
        process = subprocess.Popen([HEDDLE, "run", path, "--json=out.json", *options], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=follower)
        os.close(follower)
        progress = os.read(leader, 65536).decode()
        process.send_signal(with_signal)
        try:
            while chunk := os.read(leader, 65536):
                progress += chunk.decode()
        except OSError:
            pass
        code = process.wait(timeout=60)
        os.close(leader)
        return code, json.loads((self.folder / "out.json").read_text()), progress

    def test_without_a_bug_it_is_inconclusive(self):
        code, result, progress = self.interrupted(ENDLESS)
        self.assertEqual(code, 2)
        self.assertEqual((result["verdict"], result["exhausted"]), ("inconclusive", False))
        # What the default search has done besides may follow.
        self.assertRegex(result["reason"], r"^interrupted(; \d+ samples beside the search)?$")
        self.assertGreater(result["executions"], 0)
        self.assertRegex(progress, r"\d+ executions, \d+ classes, \d+/s")
        for line in progress.split("\r\x1b[K"):   # one that wrapped could not be written over
            self.assertLess(len(line), 80, line)

    def test_with_a_bug_it_is_a_bug(self):
        code, result, progress = self.interrupted(BUGGY_AND_ENDLESS, "--all")
        self.assertEqual((code, result["verdict"]), (1, "bug"))
        self.assertRegex(result["reason"], "^interrupted")
        self.assertIn(", 1 bug,", progress)

    def test_termination_is_clean_too(self):
        code, result, _ = self.interrupted(ENDLESS, "--algorithm=optimal-dpor", with_signal=signal.SIGTERM)
        self.assertEqual((code, result["reason"]), (2, "interrupted"))

    def test_silent_when_piped(self):
        done = self.heddle("run", self.write("endless.hed", ENDLESS), "--max-seconds=0.5", expect=2)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
