#!/usr/bin/env python3
"""The checker itself: it must find what is too long, and nothing else."""
import unittest

import shape


def body(lines):
    return "  f();\n" * lines


class Functions(unittest.TestCase):
    def found(self, text):
        return [(name, length) for _, length, name in shape.functions(text)]

    def test_free_member_and_constructor(self):
        text = ("int f(int a) {\n" + body(3) + "}\n\nclass C {\n public:\n  C(int a)\n      : a_(a) {\n    g();\n  }\n"
                "  bool operator==(const C& other) const {\n    return true;\n  }\n};\n\n"
                "Result<int> C::h(\n    int first,\n    int second) const {\n" + body(2) + "}\n")
        self.assertEqual(self.found(text), [("f", 5), ("C", 4), ("operator==", 3), ("h", 6)])

    def test_no_functions(self):
        text = ("namespace x {\nstruct S {\n  int a;\n};\n#if defined(A)\nconstexpr int kTable[] = {\n    row(1),\n};\n"
                "const Part part = described({\n    .begin =\n        [] {\n          f();\n        },\n});\n}  // namespace x\n")
        self.assertEqual(self.found(text), [])

    def test_blocks_within_belong_to_it(self):
        text = "void f() {\n  for (int i = 0;\n       i < 3; ++i) {\n    g();\n  }\n  const auto h = [](int a) {\n    g();\n  };\n}\n"
        self.assertEqual(self.found(text), [("f", 9)])


class Complaints(unittest.TestCase):
    def test_length(self):
        files = {"base/a.cpp": "void f() {\n" + body(59) + "}\nvoid C::g() {\n" + body(58) + "}\n"}
        self.assertEqual(len(shape.long_functions(files, set())), 1)
        self.assertEqual(shape.long_functions(files, {"base/a.cpp: f"}), [])

    def test_exceptions_that_are_none_any_more(self):
        self.assertEqual(len(shape.long_functions({"base/a.cpp": "void f() {\n}\n"}, {"base/a.cpp: f"})), 1)

    def test_globals(self):
        files = {"base/a.h": 'extern int many;\nextern "C" int heddle_x;\nextern const int kFixed;\nextern int f();\n'
                             'extern "C" {\nextern T few[kMost];\n}\n', "base/a.cpp": "extern int there;\n"}
        out = shape.globals_of(files, {"heddle_x"})
        self.assertEqual([line.split(": ")[0] for line in out], ["base/a.h:1", "base/a.h:6"])
        self.assertEqual(len(shape.globals_of(files, {"heddle_x", "many", "few", "gone"})), 1)


if __name__ == "__main__":
    unittest.main()
