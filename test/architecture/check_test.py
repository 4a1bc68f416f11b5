#!/usr/bin/env python3
"""The checker itself: it must complain about what is wrong and only about that."""
import unittest

import check


class Check(unittest.TestCase):
    def test_allowed(self):
        self.assertEqual(check.check_files({"base/a.h": "", "trace/b.h": '#include "base/a.h"\n#include <vector>\n'}), [])

    def test_direction(self):
        out = check.check_files({"base/a.h": '#include "trace/b.h"\n', "trace/b.h": ""})
        self.assertEqual(out, ["base/a.h:1: base may not include trace/b.h"])

    def test_front_ends_and_algorithms_do_not_meet(self):
        out = check.check_files({"model/a.h": '#include "explore/b.h"\n', "explore/b.h": ""})
        self.assertEqual(len(out), 1)

    def test_single_header(self):
        files = {"report/a.h": '#include "explore/explorer.h"\n#include "explore/tree.h"\n',
                 "explore/explorer.h": "", "explore/tree.h": ""}
        self.assertEqual(check.check_files(files), ["report/a.h:2: report may not include explore/tree.h"])

    def test_parts_of_the_native_front_end(self):
        files = {"native/supervisor/a.h": '#include "native/protocol/b.h"\n#include "native/runtime/c.h"\n',
                 "native/protocol/b.h": "", "native/runtime/c.h": '#include "native/runtime/d.h"\n', "native/runtime/d.h": ""}
        self.assertEqual(check.check_files(files), ["native/supervisor/a.h:2: native/supervisor may not include native/runtime/c.h"])
        self.assertEqual(len(check.check_files({"native/extras/a.h": ""})), 1)

    def test_cycle(self):
        out = check.check_files({"base/a.h": '#include "base/b.h"\n', "base/b.h": '#include "base/a.h"\n'})
        self.assertEqual(out, ["cycle: base/a.h -> base/b.h -> base/a.h"])

    def test_third_party(self):
        out = check.check_files({"explore/a.cpp": "#include <CLI/CLI.hpp>\n"})
        self.assertEqual(out, ["explore/a.cpp:1: only cli/ may include <CLI/CLI.hpp>"])

    def test_length(self):
        self.assertEqual(len(check.check_files({"base/a.h": "\n" * 700})), 1)
        self.assertEqual(check.check_files({"base/a.h": "// longer than most: one table\n" + "\n" * 700}), [])

    def test_namespace(self):
        files = {"native/runtime/a.h": "namespace heddle::runtime {}\n", "native/pass/b.h": "\nnamespace heddle::native {}\n",
                 "base/c.h": "namespace heddle {}\n"}
        self.assertEqual(check.check_files(files), ["native/pass/b.h:2: what is in native/pass is in the namespace heddle::pass"])

    def test_unknown_folder(self):
        self.assertEqual(len(check.check_files({"helpers/a.h": ""})), 1)

    def test_missing_header(self):
        self.assertEqual(len(check.check_files({"trace/a.h": '#include "base/gone.h"\n'})), 1)

    def test_cmake(self):
        self.assertEqual(check.check_cmake("heddle_folder(trace DEPS base)\nheddle_folder(report DEPS explore LIBS fmt::fmt)\n"), [])
        self.assertEqual(len(check.check_cmake("heddle_folder(trace DEPS base model)\n")), 1)


if __name__ == "__main__":
    unittest.main()
