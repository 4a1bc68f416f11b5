// Code between __VERIFIER_atomic_begin and _end, and functions called __VERIFIER_atomic_...: one indivisible step
// against everything, as SV-COMP has it.
//
// A section is a step of the engine like any other: it happens at its first access to memory, is announced there, and
// the thread keeps the processor until the section ends. A step has one object, and a section may touch several places;
// so the places that one section has touched together are one object from then on, and the search begins again
// (shadow.h). Then every step that touches one of them is dependent with the section, whatever it touches next, and
//
//   * whatever a section touches belongs to the object that it announced, so sleep sets and races see all of it;
//   * nothing else happens between its accesses, so what it does is a function of the state in which it begins.
//
// Which is all that is asked of a step. Dependence is more than it need be - x and y of one section are ordered also
// where somebody else writes only x and another one only y - so there may be more classes than are needed, never fewer;
// all algorithms see the same. Places merge finitely often, so the search comes to an end. Likewise a section that
// begins with a read is announced as a read, until one that began there has written.
//
// In a section memory is visible from the start, as atomics are: accesses of two sections do not race, one of a section
// and a plain one outside do. Sections synchronise where they touch the same places.
//
// Choices inside a section are made before it: nobody can have any influence on them. That there are some is learnt
// where they are first met, and the search begins again. An assumption that fails in a section is as elsewhere.
// Branches on inputs and operations that may wait or wake (locks, threads) are not made part of a section: they end it,
// and the result is not called exhausted (unmodelled.h).
#pragma once

#include "native/runtime/runtime.h"

namespace heddle::runtime {

inline bool in_section() { return rt.sections && rt.self().section != 0; }
// It has had its first access.
inline bool section_has_begun() { return rt.sections && rt.self().section_object != kNoObject; }

// An access of a section, about to happen.
void section_access(std::uintptr_t address, std::size_t size, bool write, const void* pc);
// A choice inside a section that has begun.
std::uint16_t choose_in_section(std::size_t alternatives, const void* pc);
// The running thread announces an operation of its own inside a section.
void check_operation_in_section(OpKind kind);
// Of sections whose first access is at this pc: they write later on; their k-th choice has so many alternatives.
void learn_writing_section(const void* pc);
void learn_choosing_section(const void* pc, std::size_t k, std::size_t alternatives);

}  // namespace heddle::runtime
