// The table of schedules. Each is a formula of t, the updates since the end of its warm-up.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "asg/optim/card.h"

namespace asg::optim {
namespace {

Setting steps_setting() {
  return {.name = "steps",
          .kind = AttrKind::integer,
          .range = kCount,
          .words = {"updates until its end, after the warm-up", "число обновлений до конца, после разогрева"}};
}

Setting minimum_setting() {
  return {.name = "minimum", .fallback = 0.0, .range = kShare, .words = {"the least factor", "наименьший множитель"}};
}

Setting gamma_setting(double fallback) {
  return {.name = "gamma",
          .fallback = fallback,
          .range = kShare,
          .words = {"the factor falls to this share", "до какой доли падает множитель"}};
}

Setting count_setting(std::string_view name, std::int64_t fallback, Words words) {
  return {.name = name, .kind = AttrKind::integer, .fallback = fallback, .range = kNotNegative, .words = words};
}

// What all of them have, after their own.
std::vector<Setting> with_warmup(std::vector<Setting> settings) {
  settings.push_back(
      count_setting("warmup", 0, {"updates of linear rise before it", "обновления линейного роста перед ним"}));
  settings.push_back({.name = "warmup_start",
                      .fallback = 0.0,
                      .range = kShare,
                      .words = {"what the rise begins with", "с чего начинается рост"}});
  return settings;
}

double number(std::int64_t count) { return static_cast<double>(count); }

// How much of `steps` has passed, at most 1.
double progress(const Settings& settings, std::int64_t step) {
  return std::min(1.0, number(step) / number(settings.integer("steps")));
}

double falling(const Settings& settings, double share) {
  const double least = settings.real("minimum");
  return least + (1 - least) * share;
}

// From `first` to `last` along half a wave, as `share` goes from 0 to 1.
double half_wave(double first, double last, double share) {
  return last + (first - last) * (1 + std::cos(std::numbers::pi * share)) / 2;
}

double constant(const Settings& /*settings*/, std::int64_t /*step*/, const ScheduleState& /*state*/) { return 1; }

double by_steps(const Settings& settings, std::int64_t step, const ScheduleState& /*state*/) {
  return std::pow(settings.real("gamma"), number(step / settings.integer("period")));
}

double by_milestones(const Settings& settings, std::int64_t step, const ScheduleState& /*state*/) {
  const std::vector<std::int64_t>& milestones = settings.integers("milestones");
  const auto passed = std::upper_bound(milestones.begin(), milestones.end(), step) - milestones.begin();
  return std::pow(settings.real("gamma"), static_cast<double>(passed));
}

double exponential(const Settings& settings, std::int64_t step, const ScheduleState& /*state*/) {
  return std::pow(settings.real("gamma"), number(step));
}

double cosine(const Settings& settings, std::int64_t step, const ScheduleState& /*state*/) {
  return falling(settings, half_wave(1, 0, progress(settings, step)));
}

double polynomial(const Settings& settings, std::int64_t step, const ScheduleState& /*state*/) {
  return falling(settings, std::pow(1 - progress(settings, step), settings.real("power")));
}

double one_cycle(const Settings& settings, std::int64_t step, const ScheduleState& /*state*/) {
  const double start = 1 / settings.real("start_divisor");
  const double end = start / settings.real("end_divisor");
  const double last = number(settings.integer("steps") - 1);
  const double peak = std::max(0.0, settings.real("rise") * number(settings.integer("steps")) - 1);
  const double now = std::min(number(step), last);
  if (now < peak) return half_wave(start, 1, now / peak);
  return last > peak ? half_wave(1, end, (now - peak) / (last - peak)) : 1;
}

double plateau(const Settings& /*settings*/, std::int64_t /*step*/, const ScheduleState& state) { return state.factor; }

ScheduleCard constant_card() {
  return {"constant",
          "Stays as it is; with a warm-up, after it.",
          "1",
          "torch.optim.lr_scheduler.LinearLR",
          with_warmup({}),
          constant};
}

ScheduleCard step_card() {
  const Setting period = {.name = "period",
                          .kind = AttrKind::integer,
                          .range = kCount,
                          .words = {"updates between two falls", "обновления между падениями"}};
  return {"step",
          "Falls by gamma every `period` updates.",
          R"(\gamma^{\lfloor t / p \rfloor})",
          "torch.optim.lr_scheduler.StepLR",
          with_warmup({period, gamma_setting(0.1)}),
          by_steps};
}

ScheduleCard multi_step_card() {
  const Setting milestones = {.name = "milestones",
                              .kind = AttrKind::integers,
                              .range = kNotNegative,
                              .words = {"updates at which it falls", "обновления, на которых он падает"}};
  return {"multi_step",
          "Falls by gamma at each milestone.",
          R"(\gamma^k, \quad k \text{ milestones passed})",
          "torch.optim.lr_scheduler.MultiStepLR",
          with_warmup({milestones, gamma_setting(0.1)}),
          by_milestones};
}

ScheduleCard exponential_card() {
  return {"exponential",
          "Falls by gamma in every update.",
          R"(\gamma^t)",
          "torch.optim.lr_scheduler.ExponentialLR",
          with_warmup({gamma_setting(0.999)}),
          exponential};
}

ScheduleCard cosine_card() {
  return {"cosine",
          "Falls along half a cosine to the minimum, and stays there.",
          R"(\mu + (1-\mu) \frac{1 + \cos(\pi t / n)}{2})",
          "torch.optim.lr_scheduler.CosineAnnealingLR",
          with_warmup({steps_setting(), minimum_setting()}),
          cosine};
}

ScheduleCard polynomial_card() {
  const Setting power = {.name = "power", .fallback = 1.0, .range = kPositive, .words = {"1 is a line", "1 — прямая"}};
  return {"polynomial",
          "Falls as a power of what is left to the minimum, and stays there.",
          R"(\mu + (1-\mu) (1 - t / n)^p)",
          "torch.optim.lr_scheduler.PolynomialLR",
          with_warmup({steps_setting(), power, minimum_setting()}),
          polynomial};
}

ScheduleCard one_cycle_card() {
  const auto divisor = [](std::string_view name, double fallback, Words words) {
    return Setting{.name = name, .fallback = fallback, .range = kCount, .words = words};
  };
  return {"one_cycle",
          "Rises along half a cosine to 1, which the optimiser's learning rate is, and falls far below its start.",
          R"(\frac{1}{d} \to 1 \to \frac{1}{d e})",
          "torch.optim.lr_scheduler.OneCycleLR",
          with_warmup(
              {steps_setting(),
               {.name = "rise",
                .fallback = 0.3,
                .range = kShare,
                .words = {"the share of its steps in which it rises", "доля шагов, на которых он растёт"}},
               divisor("start_divisor", 25, {"it begins with 1 divided by this", "начинается с 1, делённой на это"}),
               divisor("end_divisor", 1e4,
                       {"it ends with its start divided by this", "кончается началом, делённым на это"})}),
          one_cycle};
}

ScheduleCard plateau_card() {
  return {"plateau",
          "Falls by gamma when a metric has not become better for more than `patience` observations.",
          R"(\gamma^k, \quad k \text{ plateaus})",
          "torch.optim.lr_scheduler.ReduceLROnPlateau",
          with_warmup({gamma_setting(0.1),
                       count_setting("patience", 10, {"observations to wait", "сколько наблюдений ждать"}),
                       {.name = "threshold",
                        .fallback = 1e-4,
                        .range = kShare,
                        .words = {"by which share a metric must be better", "на какую долю метрика должна быть лучше"}},
                       count_setting("cooldown", 0,
                                     {"observations after a fall that do not count",
                                      "наблюдения после падения, которые не в счёт"}),
                       minimum_setting(),
                       {.name = "maximise",
                        .kind = AttrKind::boolean,
                        .fallback = false,
                        .words = {"greater is better", "больше — лучше"}}}),
          plateau};
}

}  // namespace

std::span<const ScheduleCard> schedules() {
  static const std::array table = {constant_card(),  cosine_card(),  exponential_card(), multi_step_card(),
                                   one_cycle_card(), plateau_card(), polynomial_card(),  step_card()};
  return table;
}

}  // namespace asg::optim
