// A call of a function that is not instrumented: what it reads and writes is announced for it, in the name of the
// caller.
//
//   LibraryCall call(PC);
//   call.reads_string(from);
//   call.writes(to, call.length + 1);
//   return call.perform([&] { return strcpy(to, from); });
//
// Bytes that are visible (race_detector.h) are steps, and what is read at a step must be what is there at that step,
// whatever others write before the function gets to look; likewise others must not see what is written before its step.
// So a function that touches visible bytes runs in a world made for it: bytes that were read have the values that their
// steps found; afterwards all is put back as it was, and what the function has written is written piece by piece, each
// at its step. Nobody else runs meanwhile, so nobody sees that world. Where nothing is visible, which is nearly always,
// the function is just called.
//
// What is remembered between steps lies on the stack and the heap of the program, which belong to checkpoints.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "native/runtime/race_detector.h"

namespace heddle::runtime {

class LibraryCall {
 public:
  // `pc`: where the program called.
  explicit LibraryCall(const void* pc) : pc_(pc), on_(controlled()) {}
  ~LibraryCall();
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

  bool on() const { return on_; }
  const void* pc() const { return pc_; }
  void reads(const volatile void* p, std::size_t size);
  // A string, its end included, or the first `most` bytes of it. Its length as it was found.
  std::size_t reads_string(const char* s, std::size_t most = SIZE_MAX);
  std::size_t reads_wide_string(const wchar_t* s, std::size_t most = SIZE_MAX);
  // Behind all reads. Every byte of it is written.
  void writes(volatile void* p, std::size_t size);

  // The function itself, which must not let other threads run.
  template <class F>
  decltype(auto) perform(F&& function) {
    if (!on_ || (pieces_ == 0 && pending_ == 0)) [[likely]]
      return function();
    enter_its_world();
    if constexpr (std::is_void_v<decltype(function())>) {
      function();
      leave_its_world();
    } else {
      decltype(auto) result = function();
      leave_its_world();
      return result;
    }
  }

 private:
  struct Piece {
    std::uintptr_t address;
    std::uint8_t size;
    unsigned char found[8];  // by the step
    unsigned char now[8];    // when the function is called
  };
  struct Pending {
    std::uintptr_t address;
    std::size_t size;
    unsigned char* written;  // what was there before, then what the function has written
  };
  static constexpr std::size_t kInline = 8, kMostPending = 4;

  void next_piece(std::uintptr_t address, std::size_t size, bool write);
  const Piece& read_piece(std::uintptr_t address, std::size_t size);
  void enter_its_world();
  void leave_its_world();

  const void* const pc_;
  const bool on_;
  std::size_t pieces_ = 0, room_ = kInline, pending_ = 0;
  Piece inline_[kInline];
  Piece* piece_ = inline_;
  Pending write_[kMostPending];
};

}  // namespace heddle::runtime
