#pragma once

#include <memory>

#include "asg/lab/hub.h"
#include "asg/lab/server.h"

namespace asg::lab {

// The Model Lab: a hub behind a server.
class Lab {
 public:
  // Listens when it returns. Throws what Server throws.
  Lab(ServerOptions server, HubOptions hub);
  ~Lab();  // clients are told goodbye, then trainings are stopped

  Hub& hub();
  const Server& server() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace asg::lab
