// Pictures of the Petri net of a program: for Graphviz, as a drawing, and as a page that holds the drawing.
#pragma once

#include <string>

#include "net/program_net.h"
#include "trace/program.h"

namespace heddle::net {

std::string to_dot(const ProgramNet& net, const trace::Describer& describer);
std::string to_svg(const ProgramNet& net, const trace::Describer& describer);
std::string to_html(const ProgramNet& net, const trace::Describer& describer, const std::string& title);

}  // namespace heddle::net
