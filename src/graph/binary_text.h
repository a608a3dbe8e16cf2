#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace asg {

// Bytes as text, four letters for three bytes, padded with '=' (RFC 4648). Appends to `text`.
void append_base64(std::span<const std::byte> bytes, std::string& text);

// How many bytes a text of this form stands for; nothing when its length or padding is impossible.
std::optional<std::size_t> base64_size(std::string_view text);

// Reads what append_base64 writes and nothing else: no line breaks, no stray bits. `bytes` must have base64_size(text)
// elements. False when the text is of another form.
bool read_base64(std::string_view text, std::span<std::byte> bytes);

// 64 bits as 16 hexadecimal digits. As a number they would lose their last digits in most readers of JSON.
std::string hex_text(std::uint64_t bits);
std::optional<std::uint64_t> parse_hex(std::string_view text);

}  // namespace asg
