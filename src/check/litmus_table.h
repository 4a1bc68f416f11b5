// Litmus tests of the literature with their numbers of complete execution graphs under each memory model. All of Heddle
// is held to these numbers: the oracle (graph_enumeration.h), the search over models, native programs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::check {

struct LitmusRow {
  std::string_view name;
  std::string_view program;
  std::array<std::uint64_t, 3> graphs;  // sc, tso, c++20
  std::uint64_t blocked;                // graphs in which an assumption fails, in every model
  bool race;                            // in c++20
};

inline constexpr LitmusRow kLitmusTable[] = {
    {"SB rlx", "[x] = 1; a = [y] || [y] = 1; b = [x]", {3, 4, 4}, 0, false},
    {"SB sc", "[x] =_sc 1; a =_sc [y] || [y] =_sc 1; b =_sc [x]", {3, 3, 3}, 0, false},
    {"SB rel-acq", "[x] =_rel 1; a =_acq [y] || [y] =_rel 1; b =_acq [x]", {3, 4, 4}, 0, false},
    {"SB rlx, sc fences", "[x] = 1; fence_sc; a = [y] || [y] = 1; fence_sc; b = [x]", {3, 3, 3}, 0, false},
    {"SB rlx, one sc fence", "[x] = 1; fence_sc; a = [y] || [y] = 1; b = [x]", {3, 4, 4}, 0, false},
    {"SB sc stores, acq loads", "[x] =_sc 1; a =_acq [y] || [y] =_sc 1; b =_acq [x]", {3, 3, 4}, 0, false},
    {"SB of xchg acq_rel", "q = xchg_ar([x], 1); a =_acq [y] || q = xchg_ar([y], 1); b =_acq [x]", {3, 3, 4}, 0, false},
    {"SB ring of 3 rlx", "[x] = 1; a = [y] || [y] = 1; b = [z] || [z] = 1; c = [x]", {7, 8, 8}, 0, false},
    {"MP rlx", "[x] = 1; [f] = 1 || a = [f]; b = [x]", {3, 3, 4}, 0, false},
    {"MP rel-acq", "[x] = 1; [f] =_rel 1 || a =_acq [f]; b = [x]", {3, 3, 3}, 0, false},
    {"MP rel fence, acq fence", "[x] = 1; fence_rel; [f] = 1 || a = [f]; fence_acq; b = [x]", {3, 3, 3}, 0, false},
    {"MP plain data, rel-acq",
     "[x] =_na 1; [f] =_rel 1 || a =_acq [f]; if a == 1 next 1; b =_na [x]",
     {2, 2, 2},
     0,
     false},
    {"MP plain data, rlx flag (race)",
     "[x] =_na 1; [f] = 1 || a = [f]; if a == 1 next 1; b =_na [x]",
     {2, 2, 3},
     0,
     true},
    {"MP through rmw (release sequence)",
     "[x] = 1; [f] =_rel 1 || q = add([f], 1) || a =_acq [f]; b = [x]",
     {9, 9, 9},
     0,
     false},
    {"MP through later store (no release sequence in C++20)",
     "[x] = 1; [f] =_rel 1; [f] = 2 || a =_acq [f]; b = [x]",
     {4, 4, 5},
     0,
     false},
    {"LB rlx", "a = [x]; [y] = 1 || b = [y]; [x] = 1", {3, 3, 3}, 0, false},
    {"2+2W rlx", "[x] = 1; [y] = 2 || [y] = 1; [x] = 2", {3, 3, 4}, 0, false},
    {"2+2W sc", "[x] =_sc 1; [y] =_sc 2 || [y] =_sc 1; [x] =_sc 2", {3, 3, 3}, 0, false},
    {"S rlx", "[x] = 2; [y] = 1 || a = [y]; [x] = 1", {3, 3, 4}, 0, false},
    {"S rel-acq", "[x] = 2; [y] =_rel 1 || a =_acq [y]; [x] = 1", {3, 3, 3}, 0, false},
    {"R rlx", "[x] = 1; [y] = 1 || [y] = 2; a = [x]", {3, 4, 4}, 0, false},
    {"R sc", "[x] =_sc 1; [y] =_sc 1 || [y] =_sc 2; a =_sc [x]", {3, 3, 3}, 0, false},
    {"CoRR", "[x] = 1 || [x] = 2 || a = [x]; b = [x]", {12, 12, 12}, 0, false},
    {"CoRR 2 readers", "[x] = 1 || [x] = 2 || a = [x]; b = [x] || c = [x]; d = [x]", {72, 72, 72}, 0, false},
    {"CoWR", "[x] = 1; a = [x] || [x] = 2", {3, 3, 3}, 0, false},
    {"WRC rlx", "[x] = 1 || a = [x]; [y] = 1 || b = [y]; c = [x]", {7, 7, 8}, 0, false},
    {"WRC rel-acq", "[x] =_rel 1 || a =_acq [x]; [y] =_rel 1 || b =_acq [y]; c =_acq [x]", {7, 7, 7}, 0, false},
    {"ISA2 rel-acq", "[x] = 1; [y] =_rel 1 || a =_acq [y]; [z] =_rel 1 || b =_acq [z]; c = [x]", {7, 7, 7}, 0, false},
    {"IRIW acq",
     "[x] =_rel 1 || [y] =_rel 1 || a =_acq [x]; b =_acq [y] || c =_acq [y]; d =_acq [x]",
     {15, 15, 16},
     0,
     false},
    {"IRIW sc", "[x] =_sc 1 || [y] =_sc 1 || a =_sc [x]; b =_sc [y] || c =_sc [y]; d =_sc [x]", {15, 15, 15}, 0, false},
    {"IRIW rlx, sc fences",
     "[x] = 1 || [y] = 1 || a = [x]; fence_sc; b = [y] || c = [y]; fence_sc; d = [x]",
     {15, 15, 15},
     0,
     false},
    {"RWC sc fence", "[x] = 1 || a = [x]; b = [y] || [y] = 1; fence_sc; c = [x]", {7, 7, 8}, 0, false},
    {"W+RWC",
     "[x] = 1; [z] =_rel 1 || a =_acq [z]; fence_sc; b = [y] || [y] = 1; fence_sc; c = [x]",
     {7, 7, 7},
     0,
     false},
    {"Z6.U",
     "[x] =_sc 1; [y] =_rel 1 || q = add_sc([y], 1); b = [y] || [y] =_sc 3; c =_sc [x]",
     {18, 18, 24},
     0,
     false},
    {"fetch_add x3", "a = add([x], 1) || a = add([x], 1) || a = add([x], 1)", {6, 6, 6}, 0, false},
    {"fetch_add x2, twice each",
     "a = add([x], 1); b = add([x], 1) || a = add([x], 1); b = add([x], 1)",
     {6, 6, 6},
     0,
     false},
    {"load;store x2 (lost update) rlx", "a = [x]; [x] = a + 1 || a = [x]; [x] = a + 1", {4, 4, 4}, 0, false},
    {"load;store x3 (lost update) rlx",
     "a = [x]; [x] = a + 1 || a = [x]; [x] = a + 1 || a = [x]; [x] = a + 1",
     {36, 36, 36},
     0,
     false},
    {"cas once x3", "a = cas_ar([x], 0, 1) || a = cas_ar([x], 0, 2) || a = cas_ar([x], 0, 3)", {3, 3, 3}, 0, false},
    {"cas and store", "a = cas([x], 0, 1) || [x] = 2 || c = [x]", {5, 5, 5}, 0, false},
    {"Dekker entry, sc",
     "[x] =_sc 1; a =_sc [y]; if a == 0 next 2; q = add([c], 1); r = add([c], -1)"
     " || [y] =_sc 1; b =_sc [x]; if b == 0 next 2; q = add([c], 1); r = add([c], -1)",
     {3, 3, 3},
     0,
     false},
    {"Dekker entry, rel-acq",
     "[x] =_rel 1; a =_acq [y]; if a == 0 next 2; q = add([c], 1); r = add([c], -1)"
     " || [y] =_rel 1; b =_acq [x]; if b == 0 next 2; q = add([c], 1); r = add([c], -1)",
     {3, 9, 9},
     0,
     false},
    {"seqlock, one writer one reader, rlx data",
     "[s] = 1; fence_rel; [d] = 1; [e] = 1; [s] =_rel 2 || a =_acq [s]; b = [d]; c = [e]; fence_acq; g = [s]",
     {18, 18, 18},
     0,
     false},
    {"two writers, two readers, rlx", "[x] = 1 || [x] = 2 || a = [x] || b = [x]", {18, 18, 18}, 0, false},
    {"readers 4 rlx", "[x] = 1 || a = [x] || a = [x] || a = [x] || a = [x]", {16, 16, 16}, 0, false},
    {"spinlock by xchg, 2 threads, tried once",
     "a = xchg_acq([l], 1); if a == 0 next 3; b =_na [c]; [c] =_na b + 1; [l] =_rel 0"
     " || a = xchg_acq([l], 1); if a == 0 next 3; b =_na [c]; [c] =_na b + 1; [l] =_rel 0",
     {4, 4, 4},
     0,
     false},
    {"wait for flag (assume)", "[x] = 1; [f] =_rel 1 || a =_acq [f]; assume a == 1; b = [x]", {1, 1, 1}, 1, false},
};

}  // namespace heddle::check
