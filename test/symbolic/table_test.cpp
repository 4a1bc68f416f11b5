// A table as a term is the table: for every index, and a solver finds the index of every element.
#include "symbolic/table.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "symbolic/solver.h"

namespace heddle::symbolic {
namespace {

using namespace std::chrono_literals;

TEST(Table, IsWhatItSaysForEveryIndexAndSize) {
  Random random(7);
  for (std::size_t size = 1; size <= 70; ++size) {
    TermStore store;
    const TermId index = store.input(32, "i"), other = store.input(16, "x");
    std::vector<TermId> elements;
    for (std::size_t k = 0; k < size; ++k)  // few values, so that neighbours fall together; some that depend on inputs
      elements.push_back(random.below(5) == 0 ? store.make(TermKind::kAdd, other, store.constant(16, k))
                                              : store.constant(16, random.below(3)));
    const TermId element = element_of(store, index, elements);
    for (std::size_t k = 0; k < size; ++k) {
      const Assignment at = {k, 1000};
      EXPECT_EQ(store.evaluate(element, at), store.evaluate(elements[k], at)) << k << " of " << size;
    }
  }
}

TEST(Table, ASolverFindsTheIndex) {
  TermStore store;
  const TermId index = store.input(32, "i");
  std::vector<TermId> squares;
  for (std::uint64_t k = 0; k < 200; ++k) squares.push_back(store.constant(32, k * k));
  const TermId element = element_of(store, index, squares);
  for (auto& solver : {make_cadical_solver(store), make_z3_solver(store)}) {
    const std::vector<TermId> conditions = {store.make(TermKind::kUlt, index, store.constant(32, 200)),
                                            store.equals(element, 151 * 151)};
    const Solution found = solver->solve(conditions, 10s);
    ASSERT_EQ(found.answer, Answer::kSat);
    EXPECT_EQ(found.inputs[0], 151u);
    const std::vector<TermId> none = {conditions[0], store.equals(element, 2)};
    EXPECT_EQ(solver->solve(none, 10s).answer, Answer::kUnsat);
  }
}

TEST(Table, OfOneValueIsThatValue) {
  TermStore store;
  const TermId index = store.input(8, "i");
  const std::vector<TermId> same(13, store.constant(8, 9));
  EXPECT_EQ(element_of(store, index, same), same[0]);
}

}  // namespace
}  // namespace heddle::symbolic
