#include "asg/lab/roles.h"

#include <algorithm>

#include "asg/graph/card.h"
#include "lab/role_rules.h"
#include "lab/scene_data.h"

namespace asg::lab {
namespace {

// A layer or scope on the way from the model to a variable, outermost first.
struct Station {
  std::string label;
  std::string op;  // "scope" of a scope
  const Node* node = nullptr;
};

// One use of a variable: the layers around it, and what the innermost calls it.
struct Chain {
  std::vector<Station> stations;
  std::string slot;
  bool output = false;      // the layer gives an output of the model
  bool ends_model = false;  // no layer with parameters follows but the output layer
};

// The number at the end of "block_3".
std::string_view number_at_end(std::string_view label) {
  const std::size_t last = label.find_last_not_of("0123456789");
  return last == std::string_view::npos || label[last] != '_' ? std::string_view() : label.substr(last + 1);
}

bool fits_label(std::string_view pattern, std::string_view label) {
  if (pattern.empty()) return true;
  if (!pattern.ends_with('#')) return pattern == label;
  const std::string_view number = number_at_end(label);
  if (number.empty()) return false;
  pattern.remove_suffix(1);
  return pattern == "*" || label.substr(0, label.size() - number.size()) == pattern;
}

bool fits_op(std::string_view pattern, std::string_view op) {
  if (pattern.starts_with('*')) return op.ends_with(pattern.substr(1));
  return pattern.empty() || pattern == op || (pattern == "nn.Conv" && op.starts_with(pattern));
}

std::string filled(std::string_view text, std::string_view label, std::string_view side) {
  std::string result(text);
  const auto replace = [&](std::string_view mark, std::string_view by) {
    if (const std::size_t at = result.find(mark); at != std::string::npos) result.replace(at, mark.size(), by);
  };
  replace("{n}", number_at_end(label));
  replace("{side}", side);
  replace("{label}", label);
  return result;
}

bool norm_comes_first(const Station& parent) {
  if (parent.node == nullptr) return true;
  const Attr* first = AttrReader(*parent.node->op, parent.node->attrs).find("norm_first");
  return first == nullptr || first->as_boolean();
}

class RoleMaker {
 public:
  explicit RoleMaker(const Chain& chain) : chain_(chain) {}

  Sentence make(bool& generic) {
    // A scope or a user's block knows nothing of what it holds.
    if (chain_.stations.empty() || chain_.stations.back().op == "scope" || chain_.stations.back().op == "Block") {
      return loose(generic);
    }
    const Station& layer = chain_.stations.back();
    const Station* parent = chain_.stations.size() > 1 ? &chain_.stations[chain_.stations.size() - 2] : nullptr;
    const LayerRule* rule = rule_of(layer, parent);
    const SlotRule* slot = slot_of(layer.op);
    if (rule == nullptr || slot == nullptr) {
      generic = true;
      return named(joined_label());
    }
    const bool first = parent == nullptr || norm_comes_first(*parent);
    const auto text = [&](std::string_view words, bool russian) {
      const std::string_view side = russian ? (first ? "перед" : "после") : (first ? "before" : "after");
      std::string result = filled(words, layer.label, side);
      // "после внимания", not "после вниманием".
      if (russian && !first) after_takes_genitive(result);
      return result;
    };
    Sentence role;
    if (rule->weight_is_it && slot->slot == "weight") {
      std::string_view noun = rule->noun.en;
      if (noun.starts_with("the ")) noun.remove_prefix(4);
      role = {text(noun, false), text(rule->noun.ru, true)};
    } else {
      role.en = std::string(slot->noun.en) + " of " + text(rule->noun.en, false);
      role.ru = std::string(slot->noun.ru) + " " + text(rule->noun.ru_of, true);
    }
    if (const std::size_t dot = chain_.slot.rfind('.'); dot != std::string::npos)
      add_part(role, chain_.slot.substr(0, dot));
    add_places(role, chain_.stations.size() - 1);
    return role;
  }

 private:
  static void after_takes_genitive(std::string& text) {
    constexpr std::pair<std::string_view, std::string_view> kForms[] = {
        {"после вниманием", "после внимания"},
        {"после самовниманием", "после самовнимания"},
        {"после перекрёстным вниманием", "после перекрёстного внимания"},
        {"после полносвязной частью", "после полносвязной части"}};
    for (const auto& [wrong, right] : kForms) {
      if (const std::size_t at = text.find(wrong); at != std::string::npos) text.replace(at, wrong.size(), right);
    }
  }

  const LayerRule* rule_of(const Station& layer, const Station* parent) const {
    const std::string_view parent_op = parent == nullptr ? std::string_view() : std::string_view(parent->op);
    const bool norm = layer.op.ends_with("Norm");
    for (const LayerRule& rule : layer_rules()) {
      if (rule.op == "output" ? chain_.output && layer.op == "nn.Linear"
                              : (rule.op == "final norm" ? chain_.ends_model && norm : fits_op(rule.op, layer.op))) {
        if (fits_label(rule.label, layer.label) && (rule.parent.empty() || rule.parent == parent_op)) return &rule;
      }
    }
    return nullptr;
  }

  const SlotRule* slot_of(std::string_view op) const {
    for (const SlotRule& rule : slot_rules()) {
      const bool ends = chain_.slot == rule.slot || chain_.slot.ends_with("." + std::string(rule.slot));
      if (ends && fits_op(rule.op, op)) return &rule;
    }
    return nullptr;
  }

  // A layer of a stack in one: "layer_2" of an LSTM.
  static void add_part(Sentence& role, const std::string& part) {
    const std::string_view number = number_at_end(part);
    if (number.empty()) return;
    role.en += ", layer " + std::string(number);
    role.ru += ", слой " + std::string(number);
  }

  void add_places(Sentence& role, std::size_t stations) const {
    for (std::size_t k = stations; k-- > 0;) {
      const Station& station = chain_.stations[k];
      for (const PlaceRule& rule : place_rules()) {
        if (!fits_op(rule.op, station.op) || !fits_label(rule.label, station.label)) continue;
        if (!rule.en.empty()) {
          role.en += " of " + filled(rule.en, station.label, "");
          role.ru += " " + filled(rule.ru, station.label, "");
        }
        break;
      }
    }
  }

  Sentence loose(bool& generic) const {
    for (const LooseRule& rule : loose_rules()) {
      if (chain_.slot.find(rule.part) == std::string::npos) continue;
      Sentence role{std::string(rule.noun.en), std::string(rule.noun.ru)};
      add_places(role, chain_.stations.size());
      return role;
    }
    generic = true;
    return named(joined_label());
  }

  std::string joined_label() const {
    std::string name;
    for (const Station& station : chain_.stations) name += station.label + "/";
    return name + chain_.slot;
  }

  static Sentence named(const std::string& name) { return {"state '" + name + "'", "состояние «" + name + "»"}; }

  const Chain& chain_;
};

void add_scopes(const std::string& path, Chain& chain) {
  std::string_view rest = parent_path(path);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    chain.stations.push_back({std::string(rest.substr(0, end)), "scope"});
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
}

bool binds(const Frame& frame, const Leaf& leaf, VarId variable) {
  const std::vector<Binding>& bindings = leaf.get().bindings;
  return std::any_of(bindings.begin(), bindings.end(),
                     [&](const Binding& each) { return model_variable(frame, each.variable) == variable; });
}

bool trains_after(const Sheet& sheet, std::size_t leaf) {
  // Layers with parameters after this one, the last of which gives the output.
  int layers = 0;
  for (std::size_t later = leaf + 1; later < sheet.leaves.size(); ++later) {
    if (sheet.leaves[later].get().op->composite && !sheet.leaves[later].get().bindings.empty()) ++layers;
  }
  return layers > 1;
}

// Follows the variable from a leaf of the model into its layers.
Chain chain_from(const SceneData& data, int leaf_index, VarId variable) {
  Chain chain;
  Frame* frame = data.root.get();
  int index = leaf_index;
  const Sheet& root = *frame->sheet;
  chain.ends_model = !trains_after(root, static_cast<std::size_t>(leaf_index));
  for (const Sheet::Outlet& outlet : root.outlets) chain.output = chain.output || outlet.value.leaf == leaf_index;
  for (;;) {
    const Leaf& leaf = frame->sheet->leaves[static_cast<std::size_t>(index)];
    add_scopes(leaf.path, chain);
    if (!opens(leaf) || !leaf.get().op->composite) {
      for (const Binding& binding : leaf.get().bindings) {
        if (model_variable(*frame, binding.variable) == variable)
          chain.slot = leaf.graph->variable(binding.variable).name;
      }
      return chain;
    }
    chain.stations.push_back({leaf.get().label(), leaf.get().op->name, &leaf.get()});
    if (frame->outer != nullptr) chain.output = chain.ends_model = false;
    frame = &frame_inside(data, *frame, index);
    const std::vector<Leaf>& leaves = frame->sheet->leaves;
    const auto next =
        std::find_if(leaves.begin(), leaves.end(), [&](const Leaf& each) { return binds(*frame, each, variable); });
    if (next == leaves.end()) {
      chain.slot = data.model->variable(variable).name;
      return chain;
    }
    index = static_cast<int>(next - leaves.begin());
  }
}

}  // namespace

Roles::Roles(const Graph& model) : data_(std::make_shared<SceneData>()) {
  data_->model = std::make_shared<const Graph>(model);
  data_->root = std::make_unique<Frame>();
  data_->root->sheet = sheet_of_graph(data_->model, false, nullptr);
}

Sentence Roles::of(VarId variable, bool* generic) const {
  const std::lock_guard lock(data_->mutex);
  const VarKind kind = data_->model->variable(variable).kind;
  if (kind == VarKind::random) return {"seed of all random numbers", "зерно всех случайных чисел"};
  if (kind == VarKind::counter)
    return {"step that random numbers depend on", "шаг, от которого зависят случайные числа"};
  const Frame& root = *data_->root;
  Sentence role;
  bool unknown = false;
  for (std::size_t leaf = 0; leaf < root.sheet->leaves.size(); ++leaf) {
    if (!binds(root, root.sheet->leaves[leaf], variable)) continue;
    bool here = false;
    const Chain chain = chain_from(*data_, static_cast<int>(leaf), variable);
    Sentence each = RoleMaker(chain).make(here);
    if (role.empty()) {
      role = std::move(each);
      unknown = here;
    } else {
      role.en += "; also " + each.en;
      role.ru += "; также " + each.ru;
    }
  }
  if (role.empty()) {
    const std::string& name = data_->model->variable(variable).name;
    role = {"state '" + name + "', which nothing reads", "состояние «" + name + "», которое никто не читает"};
    unknown = true;
  }
  if (generic != nullptr) *generic = unknown;
  return role;
}

}  // namespace asg::lab
