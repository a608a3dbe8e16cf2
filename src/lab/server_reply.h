#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/request_check.h"

namespace asg::lab {

// An answer of HTTP, before it is put into bytes. Content-Length is left to whoever does so.
struct ServerReply {
  unsigned status = 200;
  std::vector<std::pair<std::string_view, std::string>> headers = {};
  std::string_view file = {};  // the body where it lies in the program
  std::string text = {};       // or where it was made
  std::string_view body() const { return text.empty() ? file : std::string_view(text); }
};

// What the request says of the form of the answer.
struct ReplyWishes {
  std::string_view accept_encoding = {};
  std::string_view if_none_match = {};
};

// Words for people. Like every answer it carries a policy by which a page can load nothing but files of its own.
ServerReply text_reply(unsigned status, std::string_view text);
// A file of the page, packed where the client takes that.
ServerReply file_reply(std::string_view path, const Assets& assets, const ReplyWishes& wishes);

}  // namespace asg::lab
