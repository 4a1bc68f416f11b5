// Heddle for C++, in one header.
//
// A program under test marks its tests, inputs, assumptions and choices (heddle.h: HEDDLE_TEST, heddle::input,
// heddle_assume, heddle_choose). Where the engine's headers are at hand, that is in code that links Heddle::heddle,
// there is also heddle::Session to drive threads of one's own (session.hpp).
#pragma once

#include "heddle.h"

#if __has_include("explore/explorer.h")
#include "session.hpp"
#endif
