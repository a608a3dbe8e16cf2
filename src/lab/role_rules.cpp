#include "lab/role_rules.h"

namespace asg::lab {
namespace {

constexpr std::string_view kAttention = "nn.MultiHeadAttention";
constexpr std::string_view kFeedForward = "nn.FeedForward";
constexpr std::string_view kLinear = "nn.Linear";
constexpr std::string_view kNorm = "*Norm";  // every op whose name ends so
constexpr std::string_view kConv = "*Conv2d";
constexpr std::string_view kBlock = "nn.TransformerBlock";
constexpr std::string_view kDecoder = "nn.TransformerDecoderBlock";
constexpr std::string_view kInverted = "nn.InvertedResidual";

// "{side}" is "before" or "after", as `norm_first` of the
// block says.
constexpr LayerRule kLayers[] = {
    {kLinear, "query_projection", kAttention, {"the query projection", "проекция запросов", "проекции запросов"}, true},
    {kLinear, "key_projection", kAttention, {"the key projection", "проекция ключей", "проекции ключей"}, true},
    {kLinear, "value_projection", kAttention, {"the value projection", "проекция значений", "проекции значений"}, true},
    {kLinear,
     "output_projection",
     kAttention,
     {"the output projection of attention", "выходная проекция внимания", "выходной проекции внимания"},
     true},
    {kLinear,
     "expand",
     kFeedForward,
     {"the expanding layer of the feed-forward part", "расширяющий слой полносвязной части",
      "расширяющего слоя полносвязной части"},
     true},
    {kLinear,
     "gate",
     kFeedForward,
     {"the gate of the feed-forward part", "вентиль полносвязной части", "вентиля полносвязной части"},
     true},
    {kLinear,
     "contract",
     kFeedForward,
     {"the contracting layer of the feed-forward part", "сужающий слой полносвязной части",
      "сужающего слоя полносвязной части"},
     true},
    {kNorm,
     "norm_1",
     kBlock,
     {"the norm {side} attention", "нормализация {side} вниманием", "нормализации {side} вниманием"}},
    {kNorm,
     "norm_2",
     kBlock,
     {"the norm {side} the feed-forward part", "нормализация {side} полносвязной частью",
      "нормализации {side} полносвязной частью"}},
    {kNorm,
     "norm_1",
     kDecoder,
     {"the norm {side} self-attention", "нормализация {side} самовниманием", "нормализации {side} самовниманием"}},
    {kNorm,
     "norm_2",
     kDecoder,
     {"the norm {side} cross-attention", "нормализация {side} перекрёстным вниманием",
      "нормализации {side} перекрёстным вниманием"}},
    {kNorm,
     "norm_3",
     kDecoder,
     {"the norm {side} the feed-forward part", "нормализация {side} полносвязной частью",
      "нормализации {side} полносвязной частью"}},
    {kConv, "shortcut_conv", "", {"the shortcut convolution", "свёртка обходного пути", "свёртки обходного пути"}},
    {kNorm,
     "shortcut_norm",
     "",
     {"the norm of the shortcut", "нормализация обходного пути", "нормализации обходного пути"}},
    {kConv, "expand_conv", kInverted, {"the expanding convolution", "расширяющая свёртка", "расширяющей свёртки"}},
    {kNorm,
     "expand_norm",
     kInverted,
     {"the norm after the expanding convolution", "нормализация после расширяющей свёртки",
      "нормализации после расширяющей свёртки"}},
    {kConv, "depthwise_conv", kInverted, {"the depthwise convolution", "поканальная свёртка", "поканальной свёртки"}},
    {kNorm,
     "depthwise_norm",
     kInverted,
     {"the norm after the depthwise convolution", "нормализация после поканальной свёртки",
      "нормализации после поканальной свёртки"}},
    {kConv, "project_conv", kInverted, {"the projecting convolution", "сужающая свёртка", "сужающей свёртки"}},
    {kNorm,
     "project_norm",
     kInverted,
     {"the norm after the projecting convolution", "нормализация после сужающей свёртки",
      "нормализации после сужающей свёртки"}},
    {kNorm,
     "norm_#",
     "nn.ResidualBlock",
     {"the norm after convolution {n}", "нормализация после свёртки {n}", "нормализации после свёртки {n}"}},
    {kNorm,
     "norm_#",
     "nn.BottleneckBlock",
     {"the norm after convolution {n}", "нормализация после свёртки {n}", "нормализации после свёртки {n}"}},
    {"nn.Embedding", "token", "", {"the token embedding", "вложения токенов", "вложений токенов"}, true},
    {"nn.Embedding",
     "",
     "",
     {"embedding table '{label}'", "таблица вложений «{label}»", "таблицы вложений «{label}»"},
     true},
    {"nn.LearnedPosition", "", "", {"the learned positions", "обучаемые позиции", "обучаемых позиций"}, true},
    {kConv, "patches", "", {"the patch embedding", "вложение фрагментов", "вложения фрагментов"}, true},
    {kLinear, "head", "", {"the output layer", "выходной слой", "выходного слоя"}},
    {"output", "", "", {"the output layer", "выходной слой", "выходного слоя"}},
    {"final norm", "", "", {"the final norm", "последняя нормализация", "последней нормализации"}},
    {kLinear, "*#", "", {"linear layer {n}", "линейный слой {n}", "линейного слоя {n}"}},
    {kLinear, "", "", {"linear layer '{label}'", "линейный слой «{label}»", "линейного слоя «{label}»"}},
    {"nn.Conv", "*#", "", {"convolution {n}", "свёртка {n}", "свёртки {n}"}},
    {"nn.Conv", "conv", "", {"the convolution", "свёртка", "свёртки"}},
    {"nn.Conv", "", "", {"convolution '{label}'", "свёртка «{label}»", "свёртки «{label}»"}},
    {kNorm, "*#", "", {"norm {n}", "нормализация {n}", "нормализации {n}"}},
    {kNorm, "norm", "", {"the norm", "нормализация", "нормализации"}},
    {kNorm, "", "", {"norm '{label}'", "нормализация «{label}»", "нормализации «{label}»"}},
    {"nn.LSTM", "", "", {"LSTM '{label}'", "LSTM «{label}»", "LSTM «{label}»"}},
    {"nn.GRU", "", "", {"GRU '{label}'", "GRU «{label}»", "GRU «{label}»"}},
    {"nn.RNN", "", "", {"recurrent layer '{label}'", "рекуррентный слой «{label}»", "рекуррентного слоя «{label}»"}},
    {"nn.Bilinear", "", "", {"bilinear layer '{label}'", "билинейный слой «{label}»", "билинейного слоя «{label}»"}},
    {"nn.PRelu", "", "", {"PRelu '{label}'", "PRelu «{label}»", "PRelu «{label}»"}},
};

constexpr SlotRule kSlots[] = {
    {kNorm, "scale", {"scale γ", "масштаб γ", "масштаба γ"}},
    {kNorm, "bias", {"shift β", "сдвиг β", "сдвига β"}},
    {kNorm, "running_mean", {"running mean", "накопленное среднее", "накопленного среднего"}},
    {kNorm, "running_variance", {"running variance", "накопленная дисперсия", "накопленной дисперсии"}},
    {"nn.Conv", "weight", {"filters", "фильтры", "фильтров"}},
    {"", "input_weight", {"input weights", "входные веса", "входных весов"}},
    {"", "hidden_weight", {"recurrent weights", "рекуррентные веса", "рекуррентных весов"}},
    {"", "slope", {"slope", "наклон", "наклона"}},
    {"", "weight", {"weights", "веса", "весов"}},
    {"", "bias", {"bias", "смещение", "смещения"}},
};

constexpr PlaceRule kPlaces[] = {
    {kAttention, "cross_attention", "cross-attention", "перекрёстного внимания"},
    {kAttention, "", "", ""},  // its projections say so themselves
    {kFeedForward, "", "", ""},
    {"nn.TransformerEncoder", "", "the encoder", "кодировщика"},
    {"nn.TransformerDecoder", "", "the decoder", "декодировщика"},
    {"scope", "layer_#", "stage {n}", "ступени {n}"},
    {"scope", "stage_#", "stage {n}", "ступени {n}"},
    {"scope", "stem", "the stem", "входной части"},
    {"scope", "last", "the last part", "последней части"},
    {"scope", "encoder", "the encoder", "кодировщика"},
    {"scope", "decoder", "the decoder", "декодировщика"},
    {"scope", "head", "the head", "выходной части"},
    {"Block", "embed", "", ""},
    {"", "*#", "block {n}", "блока {n}"},
    {"", "", "'{label}'", "«{label}»"},
};

constexpr LooseRule kLoose[] = {
    {"class_token", {"class token", "токен класса", "токена класса"}},
    {"cls", {"class token", "токен класса", "токена класса"}},
    {"position", {"learned positions", "обучаемые позиции", "обучаемых позиций"}},
    {"embedding", {"embedding table", "таблица вложений", "таблицы вложений"}},
};

}  // namespace

std::span<const LayerRule> layer_rules() { return kLayers; }
std::span<const SlotRule> slot_rules() { return kSlots; }
std::span<const PlaceRule> place_rules() { return kPlaces; }
std::span<const LooseRule> loose_rules() { return kLoose; }

}  // namespace asg::lab
