// Words for ops by their cards, and for what has none.
#include <array>

#include "asg/core/text.h"
#include "asg/graph/formula.h"
#include "lab/describe_parts.h"
#include "lab/titles.h"

namespace asg::lab {
namespace {

struct KindWords {
  Words title;
  Words what;
};

constexpr std::array<KindWords, 10> kStepWords = {{
    {{"Fused elementwise ops", "Слитые поэлементные операции"},
     {"One loop in which every element stands for itself: its ops pass numbers on in registers, not through memory.",
      "Один цикл, в котором каждый элемент сам по себе: операции передают числа через регистры, а не через память."}},
    {{"Fused ops along rows", "Слитые операции по строкам"},
     {"One loop over rows with sums or maxima along them, such as a softmax or a norm.",
      "Один цикл по строкам с суммами или максимумами вдоль них: например, softmax или нормализация."}},
    {{"Fused sums", "Слитые суммы"},
     {"One loop that sums over the leading axes, as gradients of biases and scales need.",
      "Один цикл с суммами по первым осям, какие нужны градиентам смещений и масштабов."}},
    {{"Rearranging", "Перестановка"},
     {"Elements change their places; nothing is computed.", "Элементы меняют места; ничего не вычисляется."}},
    {{"Matrix product", "Матричное произведение"},
     {"A call of the library of matrix products, with what follows it elementwise at its end.",
      "Вызов библиотеки матричных произведений; поэлементное продолжение выполняется в его конце."}},
    {{"Convolution", "Свёртка"},
     {"A call of the library of convolutions, or of one of their gradients.",
      "Вызов библиотеки свёрток или одного из их градиентов."}},
    {{"Pooling", "Пулинг"},
     {"Windows of a picture become one number each.", "Каждое окно картинки становится одним числом."}},
    {{"Attention", "Внимание"},
     {"Scores, softmax and weighted mean in one kernel, which never stores the whole matrix of scores.",
      "Оценки, softmax и взвешенное среднее в одном ядре, которое не хранит всю матрицу оценок."}},
    {{"Another op", "Другая операция"},
     {"An op that the device computes as a whole.", "Операция, которую устройство вычисляет целиком."}},
    {{"Copy", "Копирование"},
     {"Moves numbers from one buffer to another.", "Переносит числа из одного буфера в другой."}},
}};
static_assert(kStepWords.size() == static_cast<std::size_t>(StepKind::copy) + 1);

constexpr std::array<KindWords, 5> kBufferWords = {{
    {{"Input", "Вход"}, {"Memory that every run is given.", "Память, которую получает каждый запуск."}},
    {{"Constant", "Константа"}, {"Numbers that never change.", "Числа, которые никогда не меняются."}},
    {{"Variable", "Переменная"},
     {"State that is kept from one run to the next.", "Состояние, которое сохраняется между запусками."}},
    {{"Temporary", "Временный буфер"},
     {"A place in the arena, used by others before and after.",
      "Место в общей памяти, которое до и после занимают другие."}},
    {{"Output", "Выход"}, {"Memory that is handed out after the run.", "Память, которую отдают после запуска."}},
}};
static_assert(kBufferWords.size() == static_cast<std::size_t>(Buffer::Kind::output) + 1);

// The folders of roles; scopes of layers inside them begin their titles with the same words.
struct RoleFolder {
  std::string_view path;
  KindWords words;
};
constexpr RoleFolder kRoleFolders[] = {
    {"forward",
     {{"forward pass", "прямой проход"},
      {"All that computes the outputs and the loss from a batch.",
       "Всё, что вычисляет по пакету данных выходы и потерю."}}},
    {"gradient",
     {{"gradient", "градиент"},
      {"All that tells how the loss depends on each parameter, from the loss back to the inputs.",
       "Всё, что вычисляет, как потеря зависит от каждого параметра: от потери назад ко входам."}}},
    {"update",
     {{"update", "обновление"},
      {"The optimiser: it changes the parameters by their gradients.",
       "Оптимизатор: меняет параметры по их градиентам."}}},
    {"apply",
     {{"update after micro-batches", "обновление после микробатчей"},
      {"What ends a row of micro-batches: the sum of their gradients changes the parameters.",
       "Завершает ряд микробатчей: параметры меняются по сумме их градиентов."}}},
    {"update/check",
     {{"check of gradients", "проверка градиентов"},
      {"Looks whether all gradients are finite; if not, the update is left out.",
       "Проверяет, конечны ли все градиенты; если нет, обновление пропускается."}}},
};

const KindWords* words_of_folder(std::string_view path) {
  if (last_part(path) == "check" && parent_path(parent_path(path)).empty()) path = "update/check";
  for (const RoleFolder& folder : kRoleFolders) {
    if (folder.path == path) return &folder.words;
  }
  return nullptr;
}

// "gradient: linear layer". What is computed forward is the layer itself.
void begin_with_role(std::string_view path, Description& description) {
  const std::string_view role = path.substr(0, path.find('/'));
  const bool checks = path.substr(role.size()).starts_with("/check/");
  const std::string_view folder = checks ? "update/check" : role;
  const KindWords* words = folder == "forward" ? nullptr : words_of_folder(folder);
  if (words == nullptr) return;
  description.title.en = std::string(words->title.en) + ": " + description.title.en;
  description.title.ru = std::string(words->title.ru) + ": " + description.title.ru;
}

}  // namespace

Sentence phrase_of(const Words& words) {
  return {std::string(words.en), std::string(words.ru.empty() ? words.en : words.ru)};
}

void describe_op(const OpCard& op, Description& description) {
  description.title = title_of_op(op.name);
  description.what = phrase_of(op.words.what);
  description.why = phrase_of(op.words.why);
  if (description.what.empty()) {
    // An op of a user's own need not have words.
    description.what = {"The op " + op.name + ", whose card says no more.",
                        "Операция " + op.name + "; её карточка не говорит большего."};
  }
  if (op.words.formula.empty()) return;
  description.formula = formula_to_mathml(op.words.formula);
  description.formula_text = formula_to_text(op.words.formula);
}

void describe_scope(const SceneData& data, const Place& place, Description& description) {
  const Item& item = description.item;
  const std::string name = place.scope == 0 ? place.frame->sheet->title : item.name;
  description.title = {name, name};
  const bool is_all = place.scope == 0;
  description.what =
      is_all ? Sentence{"All of it: ", "Всё вместе: "}
             : Sentence{"A group of ops that belong together: ", "Группа операций, которые относятся друг к другу: "};
  description.what.en += grouped(item.nodes) + " nodes, " + grouped(item.parameters) + " parameters.";
  description.what.ru += "узлов — " + grouped(item.nodes, "\u202F") + ", параметров — ";
  description.what.ru += grouped(item.parameters, "\u202F") + ".";
  description.why = {"Open it to see what it is made of.", "Откройте её, чтобы увидеть, из чего она состоит."};
  if (data.view == View::model || place.frame->outer != nullptr) return;
  const Scope& scope = place.frame->sheet->scopes[static_cast<std::size_t>(place.scope)];
  if (const KindWords* words = data.view == View::expanded ? nullptr : words_of_folder(scope.path)) {
    description.title = phrase_of(words->title);
    description.what = phrase_of(words->what);
    return;
  }
  const OpCard* op = item.op.empty() || item.origins.size() != 1 ? nullptr : op_in_model(data, item.origins.front());
  if (op == nullptr || op->name != item.op) return;
  describe_op(*op, description);
  if (data.view != View::expanded) begin_with_role(scope.path, description);
}

void describe_step(const SceneData& data, int number, Description& description) {
  const Program& program = data.explanation->program;
  const Step& step = program.steps[static_cast<std::size_t>(number)];
  const KindWords& words = kStepWords[static_cast<std::size_t>(kind_of(step))];
  const std::string title = ": " + title_of(program, step);
  description.title = {std::string(words.title.en) + title, std::string(words.title.ru) + title};
  description.what = phrase_of(words.what);
  if (static_cast<std::size_t>(number) < data.explanation->ways.size()) {
    const std::string& way = data.explanation->ways[static_cast<std::size_t>(number)];
    if (!way.empty()) {
      description.why = {"Step " + std::to_string(number) + " of the program, done by: " + way + ".",
                         "Шаг " + std::to_string(number) + " программы, способ: " + way + "."};
    }
  }
  if (description.why.empty()) {
    description.why = {"Step " + std::to_string(number) + " of the program.",
                       "Шаг " + std::to_string(number) + " программы."};
  }
  description.why_not = {"The compiler made this step. Change the model, and it is made anew.",
                         "Этот шаг создал компилятор. Измените модель, и он будет создан заново."};
}

void describe_buffer(const SceneData& data, int number, Description& description) {
  const Buffer& buffer = data.explanation->program.buffers[static_cast<std::size_t>(number)];
  const KindWords& words = kBufferWords[static_cast<std::size_t>(buffer.kind)];
  description.title = phrase_of(words.title);
  description.what = phrase_of(words.what);
  const std::string size = bytes_text(buffer.bytes());
  description.why = {"It takes " + size + ".", "Занимает " + size + "."};
  if (buffer.shares >= 0) {
    const std::string other = "buffer_" + std::to_string(buffer.shares);
    description.why.en += " It takes over the memory of " + other + ", which nobody needs any more.";
    description.why.ru += " Занимает память " + other + ", которая больше никому не нужна.";
  }
  description.why_not = {"Memory follows from the model and cannot be edited.",
                         "Память следует из модели, менять её нельзя."};
}

}  // namespace asg::lab
