#include <array>

#include "asg/graph/card.h"

namespace asg {
namespace {

struct CategoryWords {
  std::string_view name;
  Words words;
};

constexpr std::array<CategoryWords, 21> kCategories = {{
    {"leaf", {"Inputs and values", "Входы и значения"}},
    {"arithmetic", {"Arithmetic", "Арифметика"}},
    {"maths", {"Mathematical functions", "Математические функции"}},
    {"activation", {"Activations", "Функции активации"}},
    {"comparison", {"Comparison", "Сравнение"}},
    {"logic", {"Logic", "Логика"}},
    {"reduction", {"Reductions", "Редукции"}},
    {"linear_algebra", {"Linear algebra", "Линейная алгебра"}},
    {"convolution", {"Convolution", "Свёртка"}},
    {"pooling", {"Pooling", "Пулинг"}},
    {"normalization", {"Normalisation", "Нормализация"}},
    {"shape", {"Shape", "Форма"}},
    {"indexing", {"Indexing", "Индексация"}},
    {"random", {"Random numbers", "Случайные числа"}},
    {"control_flow", {"Control flow", "Управление ходом вычислений"}},
    {"recurrent", {"Recurrence", "Рекуррентные сети"}},
    {"attention", {"Attention", "Внимание"}},
    {"embedding", {"Embedding", "Вложения"}},
    {"container", {"Blocks", "Блоки"}},
    {"loss", {"Losses", "Функции потерь"}},
    {"gradient", {"Parts of gradients", "Части градиентов"}},
}};
static_assert(kCategories.size() == static_cast<std::size_t>(Category::gradient) + 1);

}  // namespace

std::string_view name_of(Category category) { return kCategories[static_cast<std::size_t>(category)].name; }

Words words_of(Category category) { return kCategories[static_cast<std::size_t>(category)].words; }

}  // namespace asg
