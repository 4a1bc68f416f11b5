// A search that several machines share: what its command serves (`heddle run --serve`), and what others make of it
// (`heddle work`).
#pragma once

#include "cli/request.h"
#include "dist/crew.h"
#include "dist/hand.h"
#include "dist/local_server.h"
#include "dist/transport.h"

namespace heddle::cli {

// Where the search is served; a server of our own ends with this.
struct Served {
  std::unique_ptr<dist::LocalServer> server;
  dist::Credentials access;
  std::string note;  // how others join in
};
Result<Served> serve(const RunRequest& request);

// What machines must have in common: version and protocol.
std::string build_name();

// A model, and all that decides how it is explored.
dist::Job model_job(const RunRequest& request);
Result<std::unique_ptr<dist::Workshop>> model_workshop(const dist::ReceivedJob& job, std::size_t explorers);

}  // namespace heddle::cli
