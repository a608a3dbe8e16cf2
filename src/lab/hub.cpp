#include "asg/lab/hub.h"

#include <utility>

#include "lab/desk.h"

namespace asg::lab {

Hub::Hub(HubOptions options, Outlet& outlet) : desk_(std::make_unique<Desk>(std::move(options), outlet)) {}
Hub::~Hub() = default;

train::TrainingId Hub::add(std::string label, train::TrainingSpec spec) {
  return desk_->add(std::move(label), std::move(spec));
}
void Hub::post(train::TrainingId training, train::Message message) { desk_->post(training, std::move(message)); }
void Hub::connected(ClientId client, Access access) { desk_->connected(client, access); }
void Hub::received(ClientId client, std::string_view text) { desk_->received(client, text); }
void Hub::closed(ClientId client) { desk_->closed(client); }

}  // namespace asg::lab
