#include "native/runtime/library_call.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <algorithm>

namespace heddle::runtime {
namespace {

std::uintptr_t address_of(const volatile void* p) { return reinterpret_cast<std::uintptr_t>(p); }

// Of a range that begins at `address` and has `size` bytes: those in the first granule.
std::size_t in_granule(std::uintptr_t address, std::size_t size) { return std::min(8 - (address & 7), size); }

}  // namespace

LibraryCall::~LibraryCall() {
  if (on_) rt.self().spin.piece = 0;
  if (piece_ != inline_) free(piece_);
}

// Pieces are told apart from a loop that comes round to the same call (spinning.h).
void LibraryCall::next_piece(std::uintptr_t address, std::size_t size, bool write) {
  ++rt.self().spin.piece;
  plain_access(address, size, write, pc_);
}

const LibraryCall::Piece& LibraryCall::read_piece(std::uintptr_t address, std::size_t size) {
  next_piece(address, size, false);
  if (pieces_ == room_) {
    auto larger = static_cast<Piece*>(malloc(2 * room_ * sizeof(Piece)));
    memcpy(larger, piece_, room_ * sizeof(Piece));
    if (piece_ != inline_) free(piece_);
    piece_ = larger;
    room_ *= 2;
  }
  Piece& piece = piece_[pieces_++];
  piece.address = address;
  piece.size = static_cast<std::uint8_t>(size);
  memcpy(piece.found, reinterpret_cast<const void*>(address), size);
  return piece;
}

void LibraryCall::reads(const volatile void* p, std::size_t size) {
  if (!on_ || size == 0) return;
  std::uintptr_t address = address_of(p);
  if (!any_visible(address, size)) return plain_access(address, size, false, pc_);
  while (size > 0) {
    const std::size_t part = in_granule(address, size);
    read_piece(address, part);
    address += part;
    size -= part;
  }
}

std::size_t LibraryCall::reads_string(const char* s, std::size_t most) {
  const std::size_t length = strnlen(s, most);
  if (!on_) return length;
  const std::size_t size = std::min(length, most - 1) + 1;  // most 0: nothing
  if (most == 0) return 0;
  if (!any_visible(address_of(s), size)) {
    plain_access(address_of(s), size, false, pc_);
    return length;
  }
  // Where it ends may change from step to step. A step is for the bytes up to the end as it is then, in one granule.
  for (std::size_t n = 0; n < most;) {
    const std::size_t part = in_granule(address_of(s + n), most - n);
    const std::size_t upto = std::min(strnlen(s + n, part) + 1, part);
    const Piece& piece = read_piece(address_of(s + n), upto);
    const void* end = memchr(piece.found, 0, upto);
    if (end) return n + static_cast<std::size_t>(static_cast<const unsigned char*>(end) - piece.found);
    n += upto;
  }
  return most;
}

std::size_t LibraryCall::reads_wide_string(const wchar_t* s, std::size_t most) {
  std::size_t n = 0;
  if (!on_) return wcsnlen(s, most);
  for (; n < most; ++n) {
    if (!any_visible(address_of(s + n), sizeof *s)) {
      plain_access(address_of(s + n), sizeof *s, false, pc_);
      if (s[n] == 0) return n;
      continue;
    }
    wchar_t found;
    memcpy(&found, read_piece(address_of(s + n), sizeof *s).found, sizeof found);
    if (found == 0) return n;
  }
  return n;
}

void LibraryCall::writes(volatile void* p, std::size_t size) {
  if (!on_ || size == 0) return;
  const std::uintptr_t address = address_of(p);
  if (!any_visible(address, size) || pending_ == kMostPending) return plain_access(address, size, true, pc_);
  check_heap_access(p, size, true, pc_);
  write_[pending_++] = {address, size, static_cast<unsigned char*>(malloc(size))};
}

void LibraryCall::enter_its_world() {
  for (std::size_t i = 0; i < pieces_; ++i) {
    Piece& piece = piece_[i];
    void* place = reinterpret_cast<void*>(piece.address);
    memcpy(piece.now, place, piece.size);
    if (memcmp(piece.now, piece.found, piece.size) != 0) memcpy(place, piece.found, piece.size);
  }
  for (std::size_t i = 0; i < pending_; ++i)
    memcpy(write_[i].written, reinterpret_cast<const void*>(write_[i].address), write_[i].size);
}

void LibraryCall::leave_its_world() {
  for (std::size_t i = pending_; i-- > 0;)
    std::swap_ranges(write_[i].written, write_[i].written + write_[i].size,
                     reinterpret_cast<unsigned char*>(write_[i].address));
  for (std::size_t i = pieces_; i-- > 0;)
    if (memcmp(piece_[i].now, piece_[i].found, piece_[i].size) != 0)
      memcpy(reinterpret_cast<void*>(piece_[i].address), piece_[i].now, piece_[i].size);
  for (std::size_t i = 0; i < pending_; ++i) {
    for (std::size_t done = 0; done < write_[i].size;) {
      const std::size_t part = in_granule(write_[i].address + done, write_[i].size - done);
      next_piece(write_[i].address + done, part, true);
      memcpy(reinterpret_cast<void*>(write_[i].address + done), write_[i].written + done, part);
      done += part;
    }
    free(write_[i].written);
  }
}

}  // namespace heddle::runtime
