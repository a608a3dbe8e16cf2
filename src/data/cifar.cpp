#include "asg/data/cifar.h"

#include <cstring>

#include "asg/core/error.h"
#include "asg/io/inflate.h"

namespace asg::data {
namespace {

constexpr std::size_t kPictureBytes = 3 * 32 * 32;

// What stands before each picture.
struct Form {
  const char* words;
  std::vector<Field> labels;
};

Form cifar10_form() {
  return {
      "CIFAR-10",
      {{.name = std::string(kLabels),
        .classes = 10,
        .class_names = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"}}}};
}

Form cifar100_form() {
  return {"CIFAR-100", {{.name = "coarse", .classes = 20}, {.name = std::string(kLabels), .classes = 100}}};
}

Dataset read(std::string name, std::string_view bytes, const Form& form) {
  const std::size_t record = form.labels.size() + kPictureBytes;
  if (bytes.empty() || bytes.size() % record != 0) {
    fail(ErrorCode::io_error, std::to_string(bytes.size()) + " bytes",
         "records of " + std::to_string(record) + " bytes each, as " + form.words + " has",
         "check that the file is whole, and of the binary version");
  }
  const std::size_t count = bytes.size() / record;
  const auto examples = static_cast<std::int64_t>(count);
  std::vector<Field> fields = {{.name = std::string(kFeatures)}};
  std::vector<Array> arrays = {Array::uninitialised(DType::u8, {examples, 3, 32, 32})};
  for (const Field& label : form.labels) {
    fields.push_back(label);
    arrays.push_back(Array::uninitialised(DType::i64, {examples}));
  }
  for (std::size_t example = 0; example < count; ++example) {
    const std::string_view each = bytes.substr(example * record, record);
    for (std::size_t k = 0; k < form.labels.size(); ++k) {
      arrays[k + 1].mutable_data<std::int64_t>()[example] = static_cast<unsigned char>(each[k]);
    }
    std::memcpy(arrays.front().raw() + example * kPictureBytes, each.data() + form.labels.size(), kPictureBytes);
  }
  return make_dataset(std::move(name), std::move(fields), std::move(arrays));
}

Dataset read_files(const std::string& name, const std::vector<std::string>& paths, const Form& form) {
  std::vector<Dataset> parts;
  for (const std::string& path : paths) {
    const std::string bytes = io::read_maybe_gzip_file(path);
    try {
      parts.push_back(read(name, bytes, form));
    } catch (const UserError& error) {
      throw error.with_where(path);
    }
  }
  return parts.size() == 1 ? parts.front() : concatenated(name, std::move(parts));
}

}  // namespace

Dataset read_cifar10(std::string name, std::string_view bytes) { return read(std::move(name), bytes, cifar10_form()); }
Dataset read_cifar100(std::string name, std::string_view bytes) {
  return read(std::move(name), bytes, cifar100_form());
}

Dataset read_cifar10_files(std::string name, const std::vector<std::string>& paths) {
  return read_files(name, paths, cifar10_form());
}

Dataset read_cifar100_files(std::string name, const std::vector<std::string>& paths) {
  return read_files(name, paths, cifar100_form());
}

}  // namespace asg::data
