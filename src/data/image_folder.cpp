#include <algorithm>
#include <cstring>
#include <filesystem>

#include "asg/core/error.h"
#include "asg/data/image.h"

namespace asg::data {
namespace {

namespace fs = std::filesystem;

struct Picture {
  std::string path;
  std::int64_t label = 0;
};

bool is_picture(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& letter : ending) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

class ImageFolder : public Source {
 public:
  ImageFolder(std::vector<Picture> pictures, std::vector<std::string> classes, ImageFolderOptions options)
      : pictures_(std::move(pictures)), options_(std::move(options)) {
    fields_ = {{.name = std::string(kFeatures), .dtype = DType::u8},
               {.name = std::string(kLabels),
                .dtype = DType::i64,
                .classes = static_cast<std::int64_t>(classes.size()),
                .class_names = std::move(classes)}};
    // The first picture tells the type of all.
    fields_.front() = type_of(read_image_file(pictures_.front().path, options_.channels));
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(pictures_.size()); }
  std::span<const Field> fields() const override { return fields_; }

  void read(std::size_t field, std::span<const std::int64_t> examples, const Reading& reading,
            Array& into) const override {
    for (std::size_t row = 0; row < examples.size(); ++row) {
      const Picture& picture = pictures_[static_cast<std::size_t>(examples[row])];
      if (field == 1) {
        into.set_i64(static_cast<std::int64_t>(row), picture.label);
      } else {
        read_picture(picture, examples.subspan(row, 1), reading, into, static_cast<std::int64_t>(row));
      }
    }
  }

 private:
  Field type_of(const Array& pixels) const {
    const Field field{.name = std::string(kFeatures), .dtype = pixels.dtype(), .sizes = pixels.sizes()};
    return options_.fit.type ? options_.fit.type(field) : field;
  }

  void read_picture(const Picture& picture, std::span<const std::int64_t> example, const Reading& reading, Array& into,
                    std::int64_t row) const {
    try {
      const Array pixels = read_image_file(picture.path, options_.channels);
      const Field type = type_of(pixels);
      if (type != fields_.front()) {
        fail(ErrorCode::bad_shape, "a picture that gives " + type.to_string(),
             fields_.front().to_string() + ", as the first picture does",
             "end `fit` at fixed sizes: resize(224, 224), for example");
      }
      Array target = into.sliced(0, row, 1, 1);
      const Array rows = pixels.reshaped(Field{.sizes = pixels.sizes()}.batch_sizes(1));
      if (options_.fit.apply) {
        options_.fit.apply(rows, {example, reading}, target);
      } else {
        target.assign(rows);
      }
    } catch (const UserError& error) {
      throw error.with_where(picture.path);
    }
  }

  std::vector<Picture> pictures_;
  ImageFolderOptions options_;
  std::vector<Field> fields_;
};

// What an editor, a notebook or a system keeps for itself: .ipynb_checkpoints, ._photo.jpg.
bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

std::vector<std::string> classes_in(const std::string& path) {
  std::vector<std::string> classes;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_directory() && !is_hidden(entry.path())) classes.push_back(entry.path().filename().string());
  }
  std::sort(classes.begin(), classes.end());
  return classes;
}

std::vector<std::string> pictures_in(const fs::path& folder) {
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator entry(folder), end; entry != end; ++entry) {
    if (is_hidden(entry->path())) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && is_picture(entry->path())) {
      paths.push_back(entry->path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

Dataset image_folder(const std::string& path, ImageFolderOptions options) {
  std::vector<std::string> classes;
  std::vector<Picture> pictures;
  try {
    classes = classes_in(path);
    for (std::size_t label = 0; label < classes.size(); ++label) {
      const std::vector<std::string> paths = pictures_in(fs::path(path) / classes[label]);
      if (paths.empty()) {
        fail(ErrorCode::missing_value, "the class '" + classes[label] + "' in '" + path + "' without pictures",
             "at least one .png, .jpg or .jpeg in each folder of a class");
      }
      for (const std::string& each : paths) pictures.push_back({each, static_cast<std::int64_t>(label)});
    }
  } catch (const fs::filesystem_error& error) {
    fail(ErrorCode::io_error, "'" + path + "': " + error.code().message(), "a folder that can be read");
  }
  if (pictures.empty()) {
    fail(ErrorCode::missing_value, "'" + path + "' without a folder in it", "a folder of pictures for each class");
  }
  return {fs::path(path).filename().string(),
          std::make_shared<ImageFolder>(std::move(pictures), std::move(classes), std::move(options))};
}

}  // namespace asg::data
