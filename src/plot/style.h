#pragma once

#include <array>

#include "plot/canvas.h"

// How pictures look: a light theme, and colours that people with any kind of colour vision tell apart (Okabe and Ito).
namespace asg::plot::style {

inline constexpr Colour kInk = {34, 34, 34};
inline constexpr Colour kSoft = {102, 102, 102};  // labels
inline constexpr Colour kGrid = {230, 230, 230};
inline constexpr Colour kAxis = {150, 150, 150};
inline constexpr Colour kMark = {110, 110, 110};
inline constexpr Colour kPaper = {255, 255, 255};

inline constexpr std::array<Colour, 7> kSeries = {
    {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}, {60, 60, 60}}};

inline constexpr double kTitle = 16;
inline constexpr double kLabel = 12;
inline constexpr double kTick = 11;
inline constexpr double kMargin = 16;

}  // namespace asg::plot::style
