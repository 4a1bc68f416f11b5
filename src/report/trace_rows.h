// What a trace shows, row by row, before any layout: which steps are shown and which are folded, how each is marked,
// and how it ends. Widths and columns are trace_table's.
#pragma once

#include <string>
#include <vector>

#include "report/explanation.h"
#include "report/narrative.h"
#include "report/shown_data.h"

namespace heddle::report {

struct TraceRow {
  enum class Kind { kStep, kData, kFailure, kBlocked, kFolded };
  Kind kind = Kind::kStep;
  std::string marks = "     ";  // '*' pair or '!' failure, '>' critical, '~' pre-emption, '(' check and ')' act
  std::size_t number = 0;       // of the step, from 1; 0 where there is none
  std::uint32_t where = 0;
  ThreadId thread = kNoThread;  // kNoThread: of nobody, words only
  std::string text;
  std::string object;           // named in the text, or empty
  EventIndex after = kNoEvent;  // the locks to show are those held after this step
  bool matters = false;         // the explanation speaks of it
  std::size_t note = 0;         // as many characters at the end of the text say how stale what is read is
};

struct TraceRows {
  std::vector<Sentence> sentences;
  std::vector<TraceRow> rows;
  MarkedPair pair;
  std::size_t more_data = 0;  // notes that are not shown
};

TraceRows trace_rows(const explore::Finding& finding, const trace::Describer& describer, WhichData data);

}  // namespace heddle::report
