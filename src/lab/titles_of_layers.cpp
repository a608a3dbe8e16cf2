#include "lab/titles.h"

namespace asg::lab {
namespace {

constexpr TitleRow kLayerTitles[] = {
    {"Block", {"block", "блок"}},
    {"nn.AlibiBias", {"ALiBi position bias", "позиционное смещение ALiBi"}},
    {"nn.BatchNorm", {"batch norm", "нормализация по батчу"}},
    {"nn.Bilinear", {"bilinear layer", "билинейный слой"}},
    {"nn.BottleneckBlock", {"bottleneck residual block", "остаточный блок с сужением"}},
    {"nn.Conv1d", {"1-D convolution", "одномерная свёртка"}},
    {"nn.Conv2d", {"2-D convolution", "двумерная свёртка"}},
    {"nn.Conv3d", {"3-D convolution", "трёхмерная свёртка"}},
    {"nn.ConvTranspose1d", {"1-D transposed convolution", "одномерная транспонированная свёртка"}},
    {"nn.ConvTranspose2d", {"2-D transposed convolution", "двумерная транспонированная свёртка"}},
    {"nn.DotProductAttention", {"dot-product attention", "внимание по скалярному произведению"}},
    {"nn.Dropout", {"dropout", "дропаут"}},
    {"nn.Embedding", {"embedding", "вложение"}},
    {"nn.FeedForward", {"feed-forward part", "полносвязная часть"}},
    {"nn.GRU", {"GRU layer", "слой GRU"}},
    {"nn.GroupNorm", {"group norm", "нормализация по группам"}},
    {"nn.InstanceNorm", {"instance norm", "нормализация по экземплярам"}},
    {"nn.InvertedResidual", {"inverted residual block", "инвертированный остаточный блок"}},
    {"nn.LSTM", {"LSTM layer", "слой LSTM"}},
    {"nn.LayerNorm", {"layer norm", "нормализация по слою"}},
    {"nn.LearnedPosition", {"learned positions", "обучаемые позиции"}},
    {"nn.Linear", {"linear layer", "линейный слой"}},
    {"nn.MultiHeadAttention", {"multi-head attention", "многоголовое внимание"}},
    {"nn.PRelu", {"PReLU layer", "слой PReLU"}},
    {"nn.RMSNorm", {"RMS norm", "RMS-нормализация"}},
    {"nn.RNN", {"simple recurrent layer", "простой рекуррентный слой"}},
    {"nn.ResidualBlock", {"residual block", "остаточный блок"}},
    {"nn.RotaryPosition", {"rotary positions", "вращательные позиции"}},
    {"nn.SinusoidalPosition", {"sinusoidal positions", "синусоидальные позиции"}},
    {"nn.SpatialDropout", {"dropout of channels", "дропаут каналов"}},
    {"nn.TransformerBlock", {"transformer block", "блок трансформера"}},
    {"nn.TransformerDecoder", {"transformer decoder", "декодер трансформера"}},
    {"nn.TransformerDecoderBlock", {"transformer decoder block", "блок декодера трансформера"}},
    {"nn.TransformerEncoder", {"transformer encoder", "кодировщик трансформера"}},
    {"loss.BinaryCrossEntropy", {"binary cross-entropy", "бинарная перекрёстная энтропия"}},
    {"loss.BinaryCrossEntropyWithLogits",
     {"binary cross-entropy of logits", "бинарная перекрёстная энтропия по логитам"}},
    {"loss.CTC", {"CTC loss", "функция потерь CTC"}},
    {"loss.CosineEmbedding", {"cosine embedding loss", "косинусная функция потерь"}},
    {"loss.CrossEntropy", {"cross-entropy", "перекрёстная энтропия"}},
    {"loss.Focal", {"focal loss", "фокальная функция потерь"}},
    {"loss.Hinge", {"hinge loss", "кусочно-линейная функция потерь (hinge)"}},
    {"loss.Huber", {"Huber loss", "функция потерь Хубера"}},
    {"loss.KLDivergence", {"Kullback–Leibler divergence", "расстояние Кульбака — Лейблера"}},
    {"loss.L1", {"mean absolute error", "средняя абсолютная ошибка"}},
    {"loss.MarginRanking", {"margin ranking loss", "ранжирующая функция потерь с отступом"}},
    {"loss.MeanSquaredError", {"mean squared error", "средняя квадратичная ошибка"}},
    {"loss.NLL", {"negative log-likelihood", "отрицательное логарифмическое правдоподобие"}},
    {"loss.SmoothL1", {"smooth absolute error", "сглаженная абсолютная ошибка"}},
    {"loss.SquaredHinge", {"squared hinge loss", "квадратичная функция потерь hinge"}},
    {"loss.TripletMargin", {"triplet margin loss", "функция потерь по тройкам"}},
};

}  // namespace

std::span<const TitleRow> layer_titles() { return kLayerTitles; }

}  // namespace asg::lab
