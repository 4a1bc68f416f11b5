#include "native/supervisor/readable_names.h"

#include <gtest/gtest.h>

namespace heddle::supervisor {
namespace {

TEST(ReadableNames, StandardTypesAreSpeltAsPeopleDo) {
  EXPECT_EQ(
      readable_function("put(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)"),
      "put(std::string const&)");
  EXPECT_EQ(readable_function("std::vector<int, std::allocator<int> >::push_back(int const&)"),
            "std::vector<int>::push_back(int const&)");
  EXPECT_EQ(readable_function(
                "f(std::map<std::__cxx11::basic_string<char, std::char_traits<char>, "
                "std::allocator<char> >, int, std::less<std::__cxx11::basic_string<char, "
                "std::char_traits<char>, std::allocator<char> > >, std::allocator<std::pair<int const, int> > >&)"),
            "f(std::map<std::string, int>&)");
  EXPECT_EQ(readable_function("main"), "main");
  EXPECT_EQ(readable_function("operator->(Pointer const&)"), "operator->(Pointer const&)");
}

TEST(ReadableNames, LambdasAreWhereTheyStand) {
  EXPECT_EQ(readable_function("main::$_0::operator()() const"), "lambda in main");
  EXPECT_EQ(readable_function("main::'lambda'()::operator()() const"), "lambda in main");
  EXPECT_EQ(readable_function("Pool::start(int)::{lambda(int)#2}::operator()(int) const"),
            "lambda in Pool::start(int)");
  EXPECT_EQ(readable_function("main::$_0::operator()() const::$_1::operator()() const"), "lambda in main");
}

TEST(ReadableNames, LongOnesGiveUpTheirArguments) {
  const std::string name = readable_function(
      "Cache<Key<int, long, unsigned long, short>, Value<int, long, unsigned long, short>>::insert(Key<int, long> "
      "const&)");
  EXPECT_LE(name.size(), 72u);
  EXPECT_TRUE(name.ends_with("::insert(Key<..> const&)")) << name;
}

TEST(ReadableNames, OnlyTheStandardLibraryIsPassedOver) {
  for (const char* file : {"/usr/include/c++/14/bits/stl_vector.h", "/usr/include/x86_64-linux-gnu/c++/14/bits/gthr.h",
                           "/usr/include/x86_64-linux-gnu/bits/string_fortified.h", "/usr/include/stdlib.h",
                           "/usr/lib/llvm-19/include/c++/v1/atomic", "/usr/include/gtest/gtest.h", ""})
    EXPECT_TRUE(is_library_source(file)) << file;
  for (const char* file : {"/usr/include/boost/lockfree/queue.hpp", "/usr/include/x86_64-linux-gnu/qt6/QtCore/qmutex.h",
                           "/usr/local/include/ring.h", "/home/me/pool.cpp", "pool.cpp"})
    EXPECT_FALSE(is_library_source(file)) << file;
}

TEST(ReadableNames, WithoutScopesArgumentsAndParameters) {
  EXPECT_EQ(unqualified_name("std::__weak_ptr<int, (__gnu_cxx::_Lock_policy)2>::lock() const"), "lock");
  EXPECT_EQ(unqualified_name("bool std::timed_mutex::try_lock_for<long, std::ratio<1l, 1000l>>(int const&)"),
            "try_lock_for");
  EXPECT_EQ(unqualified_name("use_count"), "use_count");
  EXPECT_EQ(unqualified_name("(anonymous namespace)::first(int)"), "first");
  EXPECT_EQ(unqualified_name(""), "");
}

}  // namespace
}  // namespace heddle::supervisor
