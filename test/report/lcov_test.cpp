#include "report/lcov.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(Lcov, IsWrittenAsGeninfoDoes) {
  trace::CoveredFile file{"/src/a.c", {{3, 2}, {4, 0}}, {}};
  file.branches[3] = {{1, 0}, {0, 0, 0}};  // the second was never come to
  const trace::CoveredFile empty{"/src/b.c", {{1, 0}}, {}};
  EXPECT_EQ(lcov({file, empty}, "name"),
            "TN:name\nSF:/src/a.c\n"
            "BRDA:3,0,0,1\nBRDA:3,0,1,0\nBRDA:3,1,0,-\nBRDA:3,1,1,-\nBRDA:3,1,2,-\nBRF:5\nBRH:1\n"
            "DA:3,2\nDA:4,0\nLF:2\nLH:1\nend_of_record\n"
            "TN:name\nSF:/src/b.c\nBRF:0\nBRH:0\nDA:1,0\nLF:1\nLH:0\nend_of_record\n");
}

}  // namespace
}  // namespace heddle::report
