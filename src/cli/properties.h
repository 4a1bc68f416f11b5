// Properties of global states on the command line, in saved schedules, and in what is said at the end.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "explore/explorer.h"

namespace heddle::cli {

void append_property_options(std::vector<OptionRow>& rows, PropertyRequest& request);

// With the condition of --when.
std::vector<property::Statement> statements_of(const PropertyRequest& request);

// Settings of a saved schedule: never=TEXT, when=TEXT, ...
void append_settings(const PropertyRequest& request, std::vector<std::string>& settings);
// False: the setting is about something else.
bool take_setting(const std::string& setting, PropertyRequest& request);

// What the result says about each of them.
void answer(const std::vector<property::Statement>& statements, explore::ExploreResult& result);

}  // namespace heddle::cli
