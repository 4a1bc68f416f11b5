// Nets as pictures, in the conventions of Kähkönen 2015: conditions are circles, events boxes, read arcs are
// undirected, arcs to and from shared variables dashed; a condition of the initial marking holds a token.
#pragma once

#include <string>

#include "net/occurrence_net.h"

namespace heddle::net {

std::string to_dot(const OccurrenceNet& net);
// Laid out by itself: threads are columns, and an event stands below everything before it.
std::string to_svg(const OccurrenceNet& net);
// A page that holds the drawing and nothing from elsewhere.
std::string to_html(const OccurrenceNet& net, const std::string& title);

}  // namespace heddle::net
