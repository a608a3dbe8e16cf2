#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/lab/hub.h"
#include "asg/train/cone.h"
#include "lab/clerk.h"
#include "lab/questions.h"
#include "lab/record.h"
#include "lab/requests.h"
#include "lab/views.h"
#include "train/time_budget.h"

namespace asg::lab {

// What stands behind a hub. Three threads meet here: the server's brings requests, the engine's brings events, the
// clerk's makes scenes and answers. Clients and records are guarded by one mutex, which nobody holds for long.
class Hub::Desk {
 public:
  Desk(HubOptions options, Outlet& outlet);
  ~Desk();

  train::TrainingId add(std::string label, train::TrainingSpec spec);
  void post(train::TrainingId training, train::Message message, std::uint64_t number = 0);

  void connected(ClientId client, Access access);
  void received(ClientId client, std::string_view text);
  void closed(ClientId client);

 private:
  struct Subscription {
    std::vector<std::string> values;
    bool gradients = false;
    std::int64_t every = 1;
  };
  struct Client {
    Access access = Access::full;
    std::map<train::TrainingId, Subscription> watched = {};
  };
  using Effort = train::Engine::Effort;
  using Ticket = std::shared_ptr<OpenQuestion>;
  // A question that came before there was a model to answer it with.
  struct Held {
    Ticket question;
    Request request;
  };
  // A message on its way to its answer, by its name for the engine.
  struct Asked {
    std::string_view message;
    Asker asker;
  };
  // What a trainer told before it went, for those who still ask.
  struct LastLook {
    std::shared_ptr<const Explanation> explanation;
    std::vector<double> step_seconds;
    train::events::Journal journal;
  };
  // A training and all that the desk keeps of it.
  struct Folder {
    Record record;
    // Who asked for what is under way, by the number that the engine has of the message.
    std::map<std::uint64_t, Asked> asked = {};
    std::shared_ptr<train::Cone> cone = std::make_shared<train::Cone>();  // of the engine's thread alone
    std::vector<Held> held = {};
    std::shared_ptr<const LastLook> last_look = {};
    // As it is after all that was told; none where nobody has asked since the last change.
    std::shared_ptr<const train::events::Journal> journal = {};
    // What the engine was told to watch, and what it read last.
    train::messages::Watch watched = {};
    std::shared_ptr<const train::events::Watched> last_reading = {};
    // Of the engine's thread alone: which values the model of that version has, and time to tell of steps.
    std::int64_t known_version = 0;
    std::map<std::string, bool> known_values = {};
    train::TimeBudget step_events = train::TimeBudget(kStepEventsShare, kStepEventsSaved);
    std::optional<train::events::StepDone> untold_step = {};
  };
  static constexpr double kStepEventsShare = 0.002, kStepEventsSaved = 0.08;
  using Text = std::shared_ptr<const std::string>;

  // ---- Requests, on the server's thread (desk.cpp).
  void take(const Asker& asker, const Request& request);
  void pass_on(const Asker& asker, const Request& request, const train::Message& message);
  void check_room_for_training();  // with the mutex held
  void check_access(ClientId client, const Request& request);
  void check_training(train::TrainingId training);
  // Answers or refuses what only a trainer could do, where there is none any more. False where somebody else answers.
  bool take_of_gone(const Asker& asker, const Request& request);
  void watch_for_all(train::TrainingId training, Folder& folder);  // with the mutex held
  void refuse(const Asker& asker, std::string_view name, const std::exception& error);
  void send(const Asker& asker, std::string event);

  // ---- Looks at a trainer, on the engine's thread between two steps (desk_looks.cpp). None needs the mutex.
  // The loss after a change while the training waits, from what did not change.
  void look_at_loss(train::TrainingId training, std::shared_ptr<train::Cone> cone, bool tell);
  void look_at_snapshots(train::TrainingId training);
  void look_before_stop(train::TrainingId training);

  // ---- Questions (desk_questions.cpp): what a look at a trainer gives is made into an answer on the clerk's thread.
  void ask(const Asker& asker, Request request);
  // Refuses the question where this throws.
  void on_clerk(const Ticket& question, std::function<void()> job);
  void on_engine(const Ticket& question, train::TrainingId training, Effort effort,
                 std::function<void(train::Trainer& trainer)> look);
  void read(const Ticket& question, train::TrainingId training, const std::string& path);
  void read_tensor(const Ticket& question, train::TrainingId training, const requests::ReadTensor& wish);
  void tell_journal(const Ticket& question, train::TrainingId training);
  void tell_history(const Ticket& question, train::TrainingId training);
  void tell_costs(const Ticket& question, train::TrainingId training);
  void subscribe(const Ticket& question, train::TrainingId training, const requests::Subscribe& wish);
  std::shared_ptr<const train::events::Journal> known_journal(train::TrainingId training);
  bool has_value(Folder& folder, train::Trainer& trainer, const std::string& value);

  // ---- Questions about models, on the clerk's thread (desk_answers.cpp).
  void answer(const Ticket& question, const Request& request);
  bool hold(const Ticket& question, const Request& request);
  std::string answer_to(const Request& request, Views& views);
  void ask_device(const Ticket& question, const Request& request, std::shared_ptr<Views> views);
  void open(const Asker& asker, const requests::Open& wish);
  std::shared_ptr<Views> views_of(train::TrainingId training);  // throws missing_value

  // ---- Events, on the engine's thread (desk_events.cpp).
  void on_event(train::TrainingId training, const train::Event& event);
  // With the mutex held, all of these.
  static void keep_journal(Folder& folder, const train::Event& event);
  void follow_up(train::TrainingId training, const Folder& folder, const train::Event& event);
  void answer_held(Folder& folder);
  Folder& folder_of(train::TrainingId training, const train::Event& event);
  std::optional<Asker> asker_of(Folder& folder, const train::Event& event);
  void end_runs(Folder& folder, const train::Event& paused, std::optional<Asker>& asker);
  void send_event(train::TrainingId training, const train::Event& event, const std::optional<Asker>& asker);
  void send_step(train::TrainingId training, Folder& folder, const train::events::StepDone& event);
  void send_watched(train::TrainingId training, const train::events::Watched& event);
  // Of all that was read what one client watches.
  static train::events::Watched part_of(const train::events::Watched& event, const std::vector<std::string>& values);
  void note_branch(const train::Event& event);
  void send_state(const Record& record);
  void send_to_all(std::string text);

  HubOptions options_;
  Outlet& outlet_;
  std::mutex mutex_;
  std::map<ClientId, Client> clients_;                         // guarded by mutex_
  Questions questions_;                                        // whoever holds one goes before it
  std::map<train::TrainingId, Folder> folders_;                // guarded by mutex_
  std::size_t branches_under_way_ = 0;                         // guarded by mutex_
  std::uint64_t last_number_ = 0;                              // of a message to the engine; guarded by mutex_
  std::map<train::TrainingId, std::shared_ptr<Views>> views_;  // of the clerk alone
  Clerk clerk_{Clerk::Priority::below_training};
  Clerk opener_{Clerk::Priority::usual};  // of trainings, which start threads that compute
  train::Engine engine_;
};

}  // namespace asg::lab
