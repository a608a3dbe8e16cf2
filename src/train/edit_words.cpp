#include "asg/graph/card.h"
#include "asg/optim/json.h"
#include "asg/train/journal.h"

namespace asg::train {
namespace {

// One command in words. Russian sentences are built so that no name has to be declined.
class CommandWords {
 public:
  explicit CommandWords(const Graph* graph) : graph_(graph) {}

  Sentence operator()(const edits::AddInput& command) const {
    const std::string what = command.name + ", " + command.type.to_string();
    return {"added the input " + what, "добавлен вход " + what};
  }
  Sentence operator()(const edits::AddNode& command) const {
    const std::string what = command.op + (command.name.empty() ? "" : " (" + command.name + ")");
    return {"added " + what, "добавлено " + what};
  }
  Sentence operator()(const edits::SetOutput& command) const {
    const Sentence value = name(command.value);
    return {"made " + value.en + " the output " + command.name, "выход " + command.name + ": теперь это " + value.ru};
  }
  Sentence operator()(const edits::RemoveOutput& command) const {
    return {"removed the output " + command.name, "убран выход " + command.name};
  }
  Sentence operator()(const edits::Rename& command) const {
    const Sentence node = name(command.node);
    return {"renamed " + node.en + " to " + command.name, "новое имя: " + node.ru + " → " + command.name};
  }
  Sentence operator()(const edits::ReplaceOp& command) const {
    const Sentence node = name(command.at);
    return {"replaced " + node.en + " by " + command.op, "замена: " + node.ru + " → " + command.op};
  }
  Sentence operator()(const edits::InsertBetween& command) const {
    const Sentence value = name(command.value);
    Sentence result = {"inserted " + command.op + " after " + value.en,
                       "вставлено " + command.op + " после " + value.ru};
    if (!command.user) return result;
    const Sentence user = name(command.user);
    return {result.en + ", before " + user.en, result.ru + ", перед " + user.ru};
  }
  Sentence operator()(const edits::DeletePassthrough& command) const {
    const Sentence node = name(command.at);
    return {"removed " + node.en + " and joined its ends", "убрано " + node.ru + ", концы соединены"};
  }
  Sentence operator()(const edits::DeleteCascade& command) const {
    const Sentence node = name(command.node);
    return {"removed " + node.en + " and all that depends on it", "убрано " + node.ru + " и всё, что от этого зависит"};
  }
  Sentence operator()(const edits::Rewire& command) const {
    const Sentence user = name(command.user);
    const Sentence value = name(command.value);
    const std::string number = std::to_string(command.input);
    return {"joined input " + number + " of " + user.en + " to " + value.en,
            user.ru + ": вход " + number + " соединён с " + value.ru};
  }
  Sentence operator()(const edits::SetConfig& command) const {
    std::string settings;
    for (const auto& [key, value] : command.attrs) {
      settings += (settings.empty() ? "" : ", ") + key + " = " + value.to_string();
    }
    const Sentence node = name(command.at);
    return {"set " + settings + " of " + node.en, node.ru + ": задано " + settings};
  }
  Sentence operator()(const edits::SetConstant& command) const {
    const Sentence node = name(command.node);
    if (command.value.count() == 1) {
      const std::string number = Attr(command.value.get(0)).to_string();
      return {"set the constant " + node.en + " to " + number, "константа " + node.ru + ": теперь " + number};
    }
    return {"gave the constant " + node.en + " other values", "константа " + node.ru + ": другие значения"};
  }
  Sentence operator()(const edits::Share& command) const {
    const Sentence node = name(command.node);
    const Sentence variable = name(command.variable);
    return {"bound " + command.slot + " of " + node.en + " to " + variable.en,
            node.ru + ": " + command.slot + " теперь общая переменная " + variable.ru};
  }
  Sentence operator()(const edits::Unshare& command) const {
    const Sentence node = name(command.node);
    return {"gave " + command.slot + " of " + node.en + " a variable of its own",
            node.ru + ": " + command.slot + " снова своя переменная"};
  }
  Sentence operator()(const edits::SetTrainable& command) const {
    const Sentence variable = name(command.variable);
    if (command.trainable) return {"unfroze " + variable.en, "снова обучается " + variable.ru};
    return {"froze " + variable.en, "больше не обучается " + variable.ru};
  }
  Sentence operator()(const edits::Group& command) const {
    const std::string count = std::to_string(command.nodes.size());
    const std::string as = command.name.empty() ? "" : " (" + command.name + ")";
    return {"grouped " + count + " nodes" + as, "в одну группу собрано узлов: " + count + as};
  }
  Sentence operator()(const edits::Ungroup& command) const {
    const Sentence node = name(command.node);
    return {"ungrouped " + node.en, "разобрано на части " + node.ru};
  }

 private:
  static Sentence same(const std::string& text) { return {text, text}; }
  static Sentence numbered(std::uint32_t id) {
    const std::string number = std::to_string(id);
    return {"node " + number, "узел " + number};
  }

  Sentence name(const NodeRef& node) const {
    if (!node.path.empty()) return same(node.path);
    if (graph_ != nullptr && graph_->has(node.id)) return same(graph_->node(node.id).path());
    return numbered(node.id.number);
  }
  Sentence name(const NodePath& at) const {
    Sentence result = name(at.node);
    for (const std::string& label : at.inside) result = {result.en + "/" + label, result.ru + "/" + label};
    return result;
  }
  Sentence name(const ValueRef& value) const {
    if (!value) return {"nothing", "пусто"};
    const Sentence node = name(value.node);
    if (value.port == 0) return node;
    const std::string port = ":" + std::to_string(value.port);
    return {node.en + port, node.ru + port};
  }
  Sentence name(const VarRef& variable) const {
    if (!variable.name.empty()) return same(variable.name);
    if (graph_ != nullptr && graph_->has(variable.id)) return same(graph_->variable(variable.id).name);
    const std::string number = std::to_string(variable.id.number);
    return {"variable " + number, "переменная " + number};
  }

  const Graph* graph_;
};

}  // namespace

Sentence words_of(const Edit& edit, const Graph* graph) {
  Sentence result;
  for (const Command& command : edit.commands) {
    const Sentence words = std::visit(CommandWords(graph), command);
    if (!result.en.empty()) {
      result.en += "; ";
      result.ru += "; ";
    }
    result.en += words.en;
    result.ru += words.ru;
  }
  return result;
}

Sentence words_of_reset(const std::vector<std::string>& paths) {
  if (paths.empty()) return {"gave all variables their first values", "всем переменным возвращены начальные значения"};
  std::string names;
  for (const std::string& path : paths) names.append(names.empty() ? "" : ", ").append(path);
  return {"reset " + names, "сброшено " + names};
}

Sentence words_of_value(std::string_view variable, std::span<const double> values) {
  const std::string name(variable);
  if (values.size() != 1) return {"gave " + name + " other values", name + ": другие значения"};
  const std::string number = Attr(values.front()).to_string();
  return {"set " + name + " to " + number, name + ": теперь " + number};
}

Sentence words_of_rate(double rate) {
  const std::string number = Attr(rate).to_string();
  return {"set the learning rate to " + number, "скорость обучения: теперь " + number};
}

Sentence words_of_schedule(const optim::Schedule& schedule) {
  const std::string text = optim::to_text(schedule);
  return {"set the schedule " + text, "расписание: теперь " + text};
}

Sentence words_of_settings(const Attrs& settings) {
  std::string text;
  for (const auto& [key, value] : settings) text += (text.empty() ? "" : ", ") + key + " = " + value.to_string();
  return {"set " + text + " of the optimizer", "оптимизатор: задано " + text};
}

}  // namespace asg::train
