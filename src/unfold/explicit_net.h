// The unfolding with all its conditions spelled out (net/occurrence_net.h), for drawing and for checks.
#pragma once

#include <string>

#include "net/occurrence_net.h"
#include "trace/program.h"
#include "unfold/unfolding.h"

namespace heddle::unfold {

// Covered events only, in order of id. In the place-replicated variant every object that is ever read has a condition
// per thread.
net::OccurrenceNet explicit_net(const Unfolding& unfolding, const Describer& describer);

}  // namespace heddle::unfold
