#include "asg/graph/catalogue.h"

namespace asg {
namespace {

struct Labels {
  Words inputs = {"Inputs", "Входы"};
  Words attributes = {"Attributes", "Атрибуты"};
  Words outputs = {"Outputs", "Выходы"};
  Words why = {"Why", "Зачем"};
  Words category = {"Category", "Раздел"};
  Words gradient = {"Gradient", "Градиент"};
  Words samples = {"Test cases", "Проверочные примеры"};
  Words optional = {"optional", "необязательный"};
  Words variadic = {"any number", "любое количество"};
  Words required = {"required", "обязателен"};
  Words one_of = {"one of", "одно из"};
  Words at_least = {"at least", "не меньше"};
  Words at_most = {"at most", "не больше"};
  Words by_rule = {"its own rule", "собственное правило"};
  Words by_body = {"through its body in smaller ops", "через разложение на более простые операции"};
  Words zero = {"zero by definition", "ноль по определению"};
  Words none = {"none", "нет"};
  Words opset = {"since opset", "начиная с opset"};
  Words onnx_body = {"exported as its body in smaller ops", "выгружается разложенным на более простые операции"};
  Words no_peer = {"no counterpart", "соответствия нет"};
  Words differs = {"differs", "отличие"};
  Words refused = {"of them refused", "из них с отказом"};
};

const Labels kLabels;

// Writes the sheet of one op in one language.
class SheetWriter {
 public:
  SheetWriter(const OpCard& op, Lang lang) : op_(op), lang_(lang) {}

  OpSheet write() const {
    OpSheet sheet;
    sheet.title = op_.name;
    sheet.what = say(op_.words.what);
    sheet.formula = op_.words.formula;
    sheet.why_label = say(kLabels.why);
    sheet.why = say(op_.words.why);
    add_table(sheet, kLabels.inputs, port_rows(op_.inputs));
    add_table(sheet, kLabels.attributes, attribute_rows());
    add_table(sheet, kLabels.outputs, port_rows(op_.outputs));
    sheet.facts.push_back({say(kLabels.category), say(words_of(op_.category))});
    if (!op_.traits.leaf) sheet.facts.push_back({say(kLabels.gradient), gradient()});
    sheet.facts.push_back({"ONNX", onnx()});
    sheet.facts.push_back({"PyTorch", torch()});
    sheet.facts.push_back({say(kLabels.samples), std::to_string(op_.samples.size() + op_.bad_samples.size()) + ", " +
                                                     say(kLabels.refused) + " " +
                                                     std::to_string(op_.bad_samples.size())});
    return sheet;
  }

 private:
  std::string say(const Words& words) const { return std::string(in_language(words, lang_)); }

  void add_table(OpSheet& sheet, const Words& heading, std::vector<OpSheet::Row> rows) const {
    if (!rows.empty()) sheet.tables.push_back({say(heading), std::move(rows)});
  }

  std::vector<OpSheet::Row> port_rows(const std::vector<Port>& ports) const {
    std::vector<OpSheet::Row> rows;
    for (const Port& port : ports) {
      std::string type = port.type.empty() ? "" : std::string(port.type) + ": ";
      type += port.dtypes.to_string();
      if (port.kind == PortKind::optional) type += "; " + say(kLabels.optional);
      if (port.kind == PortKind::variadic) type += "; " + say(kLabels.variadic);
      rows.push_back({std::string(port.name), std::move(type), say(port.words)});
    }
    return rows;
  }

  std::vector<OpSheet::Row> attribute_rows() const {
    std::vector<OpSheet::Row> rows;
    for (const AttrSpec& spec : op_.attributes) {
      rows.push_back({std::string(spec.name), attribute_type(spec), say(spec.words)});
    }
    return rows;
  }

  std::string attribute_type(const AttrSpec& spec) const {
    std::string type(name_of(spec.kind));
    type += spec.fallback ? " = " + spec.fallback->to_string() : "; " + say(kLabels.required);
    for (std::size_t choice = 0; choice < spec.choices.size(); ++choice) {
      type += choice == 0 ? "; " + say(kLabels.one_of) + " " : ", ";
      type += spec.choices[choice].to_string();
    }
    if (spec.least) type += "; " + say(kLabels.at_least) + " " + Attr(*spec.least).to_string();
    if (spec.most) type += "; " + say(kLabels.at_most) + " " + Attr(*spec.most).to_string();
    return type;
  }

  std::string gradient() const {
    switch (op_.gradient_kind) {
      case GradientKind::rule:
        return say(kLabels.by_rule);
      case GradientKind::body:
        return say(kLabels.by_body);
      case GradientKind::zero:
        return say(kLabels.zero) + ": " + std::string(op_.gradient_reason);
      case GradientKind::none:
        break;
    }
    return say(kLabels.none) + ": " + std::string(op_.gradient_reason);
  }

  std::string onnx() const {
    if (op_.onnx.empty()) return say(op_.body || op_.composite ? kLabels.onnx_body : kLabels.no_peer);
    std::string text;
    for (const OnnxMapping& mapping : op_.onnx) {
      if (!text.empty()) text += ", ";
      if (!mapping.domain.empty()) text += std::string(mapping.domain) + ".";
      text += std::string(mapping.op) + " (" + say(kLabels.opset) + " " + std::to_string(mapping.since) + ")";
    }
    return text;
  }

  std::string torch() const {
    std::string text = op_.torch.empty() ? say(kLabels.no_peer) : std::string(op_.torch);
    for (const PeerDifference& difference : op_.peer_differences) {
      text += "; " + say(kLabels.differs) + ": " + std::string(difference.reason);
    }
    return text;
  }

  const OpCard& op_;
  Lang lang_;
};

}  // namespace

std::optional<Lang> parse_lang(std::string_view name) {
  if (name == "en") return Lang::en;
  if (name == "ru") return Lang::ru;
  return std::nullopt;
}

std::string_view in_language(const Words& words, Lang lang) {
  return lang == Lang::ru && !words.ru.empty() ? words.ru : words.en;
}

OpSheet sheet_of(const OpCard& op, Lang lang) { return SheetWriter(op, lang).write(); }

}  // namespace asg
