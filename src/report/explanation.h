// An explanation in sentences, before any layout: terminal, JSON and HTML all say the same.
#pragma once

#include <string>
#include <vector>

#include "explore/explorer.h"
#include "trace/program.h"

namespace heddle::report {

// A line of the program that a reader has to look at.
struct CodeLine {
  std::string position;
  std::string function;  // empty if it is not known
  std::string text;
};

struct Story {
  std::string decisive;   // "b reads x (f:3:1) before a writes it (f:4:1); in the other order the run succeeds"
  std::string critical;   // until when a good outcome could still be reached
  std::string pattern;    // "lost update: ...", with what to do about it
  std::string orders;     // under a memory model: which would have to be stronger
  std::string minimized;  // how short the trace is, and how it was found
  std::string torn_by;  // "a must not be interrupted between", or what else the lines below have to do with each other
  std::vector<CodeLine> torn;
  // Those that are not empty, in this order.
  std::vector<std::string> lines() const;
};

Story tell(const explore::Finding& finding, const trace::Describer& describer);

// Orders that would have to be stronger, by place: the compiler may have made several accesses of one.
struct StrongerPlace {
  std::string position;
  trace::OpKind kind;
  trace::MemoryOrder own, wanted;
};
std::vector<StrongerPlace> stronger_places(const explore::Finding& finding, const trace::Describer& describer);
// Accesses before which a fence would do instead.
std::vector<StrongerPlace> fence_places(const explore::Finding& finding, const trace::Describer& describer);

// The two steps to mark in a trace: the decisive pair, or a read and the write that it misses, or else the last race
// before the failure (racing_pair.h).
struct MarkedPair {
  EventIndex first = kNoEvent;
  EventIndex second = kNoEvent;
  bool decisive = false;
  bool missed = false;  // `second` does not find what `first` has written
};
MarkedPair marked_pair(const explore::Finding& finding);

}  // namespace heddle::report
