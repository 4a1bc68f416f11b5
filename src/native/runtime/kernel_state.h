// What the kernel keeps for the program: descriptors, positions in files, pipes and sockets with what is in them,
// mappings. None of it is memory that could be copied, so it is in no checkpoint, and a program that uses it is run
// from the beginning every time: from the first such call on, in any execution. Nothing has to be taken back then:
// until that call the kernel had nothing to keep, so what ran before it, from a checkpoint or not, was right.
//
// An execution ends with what it has left behind being put away: descriptors that it opened are closed, memory that it
// mapped is unmapped, and files that were open before main go back to where they were. Mappings are given addresses by
// thread, like the heap. Beyond reach is what outlives a process anyway (files written, other processes). What is kept
// of the process itself, and descriptors that were open before main and that the program closes: process_state.h.
#pragma once

#include <cstddef>

namespace heddle::runtime {

// The program is about to use what the kernel keeps for it. Whatever relies on states being copied (checkpoints and
// their like) is switched off here.
void touches_kernel_state();
bool kernel_state_touched();  // in this process so far
// Once that has been said: was it open when the execution began? Has the program made a mapping there since?
bool was_open_at_start(int descriptor);
bool is_mapping_of_program(const void* address);

// Before global constructors.
void note_inherited_descriptors();

// Mappings of the program's, as the system calls.
long map_memory(void* address, std::size_t size, int protection, int flags, int file, long offset);
long unmap_memory(void* address, std::size_t size);
long remap_memory(void* address, std::size_t size, std::size_t new_size, int flags, void* new_address);

}  // namespace heddle::runtime
