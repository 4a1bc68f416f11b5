// Names of functions as people write them: demangled ones spell out every default argument of every template, and name
// a lambda by a number.
#pragma once

#include <string>

namespace heddle::supervisor {

// "Cache::get(std::string const&)", "lambda in main". Longer ones give up what is in the angle brackets.
std::string readable_function(std::string name);

// "lock" of "std::weak_ptr<int>::lock() const".
std::string unqualified_name(const std::string& function);

// Is it the C++ or C library's, or GoogleTest's: nothing that a user of it wants to be shown? Other installed headers
// are code like the program's own.
bool is_library_source(const std::string& file);

}  // namespace heddle::supervisor
