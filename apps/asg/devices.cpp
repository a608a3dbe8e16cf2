#include <fmt/core.h>

#include "asg/backend/backend_registry.h"
#include "asg/core/platform.h"
#include "commands.h"

namespace asg::app {

void add_devices(CLI::App& app, int& /*outcome*/) {
  app.add_subcommand("devices", "List the devices that can compute here")->callback([] {
    for (const BackendInfo& info : BackendRegistry::global().list()) fmt::print("{:8} {}\n", info.name, info.words);
    fmt::print("host     {}, {} threads, {} MiB of memory\n", platform::cpu_name(), platform::hardware_threads(),
               platform::physical_bytes() >> 20);
  });
}

}  // namespace asg::app
