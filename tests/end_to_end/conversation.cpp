#include "conversation.h"

#include <array>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

namespace asg {

Conversation::Conversation(const std::string& arguments) {
  // `exec`, so that the shell becomes the program, which then has the number of the child.
  const std::string command = "exec " + std::string(ASG_PROGRAM) + " " + arguments;
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (::pipe(in.data()) != 0 || ::pipe(out.data()) != 0) return;
  std::signal(SIGPIPE, SIG_IGN);  // a program that has ended is found when nothing more is heard
  child_ = ::fork();
  if (child_ == 0) {
    std::signal(SIGPIPE, SIG_DFL);
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    for (const int end : {in[0], in[1], out[0], out[1]}) ::close(end);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  to_ = in[1];
  from_ = out[0];
}

Conversation::~Conversation() {
  kill();
  ::close(to_);
  ::close(from_);
}

void Conversation::say(const std::string& line) const {
  const std::string text = line + "\n";
  if (::write(to_, text.data(), text.size()) < 0) ::perror("a line to the program");
}

std::optional<std::string> Conversation::hear_line() {
  for (std::array<char, 4096> buffer{};;) {
    if (const std::size_t end = rest_.find('\n'); end != std::string::npos) {
      std::string line = rest_.substr(0, end);
      rest_.erase(0, end + 1);
      return line;
    }
    const ssize_t count = ::read(from_, buffer.data(), buffer.size());
    if (count <= 0) return std::nullopt;
    rest_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

nlohmann::json Conversation::hear(const std::function<bool(const nlohmann::json& event)>& fits) {
  while (const auto line = hear_line()) {
    nlohmann::json event = nlohmann::json::parse(*line, nullptr, false);
    if (event.is_object() && fits(event)) return event;
  }
  return nullptr;
}

nlohmann::json Conversation::hear(const std::string& name) {
  return hear([&](const nlohmann::json& event) { return event.at("event") == name; });
}

bool Conversation::kill() {
  if (child_ < 0) return false;
  ::kill(child_, SIGKILL);
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = -1;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

}  // namespace asg
