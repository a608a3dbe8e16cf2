// Words for what has no card.
#include <array>

#include "lab/describe_parts.h"

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

}  // namespace

void describe_scope(const SceneData& data, const Place& place, Description& description) {
  const Item& item = description.item;
  const std::string name = place.scope == 0 ? place.frame->sheet->title : item.name;
  description.title = {name, name};
  const std::string nodes = std::to_string(item.nodes);
  const std::string parameters = std::to_string(item.parameters);
  description.what = {
      "A group of ops that belong together: " + nodes + " nodes, " + parameters + " parameters.",
      "Группа операций, которые относятся друг к другу: узлов — " + nodes + ", параметров — " + parameters + "."};
  description.why = {"Open it to see what it is made of.", "Откройте её, чтобы увидеть, из чего она состоит."};
  if (data.view == View::gradient || data.view == View::optimised) {
    description.why = {
        "Forward parts compute values, gradient parts tell how the loss depends on them, update parts "
        "change the parameters.",
        "Прямые части вычисляют значения, градиентные — как от них зависит потеря, части обновления "
        "меняют параметры."};
  }
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
