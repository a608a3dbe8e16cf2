#pragma once

#include <cstddef>
#include <cstdint>

// The conversions that models of mixed precision and masks are full of, by vectors.
namespace asg::cpu {

void widen_f16(const std::uint16_t* from, float* to, std::size_t count);
void widen_bf16(const std::uint16_t* from, float* to, std::size_t count);
void narrow_f16(const float* from, std::uint16_t* to, std::size_t count);
void narrow_bf16(const float* from, std::uint16_t* to, std::size_t count);
void widen_f32(const float* from, double* to, std::size_t count);
void narrow_f64(const double* from, float* to, std::size_t count);
void flags_to_f32(const std::uint8_t* from, float* to, std::size_t count);

void fill_f32(float value, float* to, std::size_t count);

}  // namespace asg::cpu
