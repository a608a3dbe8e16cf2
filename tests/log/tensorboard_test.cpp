// Event files, read by the protobuf library from descriptors written here: a parser that is not ours.
#include <cmath>
#include <cstring>
#include <filesystem>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "asg/core/platform.h"
#include "asg/train/logger.h"
#include "log/folder.h"
#include "train/log/crc32c.h"

namespace asg::train {
namespace {

namespace fs = std::filesystem;
namespace pb = google::protobuf;

// As in tensorflow/core/util/event.proto and tensorflow/core/framework/summary.proto, in fewer words.
constexpr const char* kDescriptors = R"(
  name: "events.proto" package: "tb"
  message_type { name: "Shape" field { name: "dim" number: 2 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: ".tb.Dim" } }
  message_type { name: "Dim" field { name: "size" number: 1 label: LABEL_OPTIONAL type: TYPE_INT64 } }
  message_type { name: "Tensor"
    field { name: "dtype" number: 1 label: LABEL_OPTIONAL type: TYPE_INT32 }
    field { name: "tensor_shape" number: 2 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".tb.Shape" }
    field { name: "string_val" number: 8 label: LABEL_REPEATED type: TYPE_BYTES } }
  message_type { name: "Histogram"
    field { name: "min" number: 1 label: LABEL_OPTIONAL type: TYPE_DOUBLE }
    field { name: "max" number: 2 label: LABEL_OPTIONAL type: TYPE_DOUBLE }
    field { name: "num" number: 3 label: LABEL_OPTIONAL type: TYPE_DOUBLE }
    field { name: "sum" number: 4 label: LABEL_OPTIONAL type: TYPE_DOUBLE }
    field { name: "sum_squares" number: 5 label: LABEL_OPTIONAL type: TYPE_DOUBLE }
    field { name: "bucket_limit" number: 6 label: LABEL_REPEATED type: TYPE_DOUBLE options { packed: true } }
    field { name: "bucket" number: 7 label: LABEL_REPEATED type: TYPE_DOUBLE options { packed: true } } }
  message_type { name: "Image"
    field { name: "height" number: 1 label: LABEL_OPTIONAL type: TYPE_INT32 }
    field { name: "width" number: 2 label: LABEL_OPTIONAL type: TYPE_INT32 }
    field { name: "colorspace" number: 3 label: LABEL_OPTIONAL type: TYPE_INT32 }
    field { name: "encoded_image_string" number: 4 label: LABEL_OPTIONAL type: TYPE_BYTES } }
  message_type { name: "Plugin" field { name: "plugin_name" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING } }
  message_type { name: "Metadata"
    field { name: "plugin_data" number: 1 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".tb.Plugin" } }
  message_type { name: "Value"
    field { name: "tag" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
    field { name: "simple_value" number: 2 label: LABEL_OPTIONAL type: TYPE_FLOAT }
    field { name: "image" number: 4 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".tb.Image" }
    field { name: "histo" number: 5 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".tb.Histogram" }
    field { name: "tensor" number: 8 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".tb.Tensor" }
    field { name: "metadata" number: 9 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".tb.Metadata" } }
  message_type { name: "Summary"
    field { name: "value" number: 1 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: ".tb.Value" } }
  message_type { name: "Session" field { name: "status" number: 1 label: LABEL_OPTIONAL type: TYPE_INT32 } }
  message_type { name: "Event"
    field { name: "wall_time" number: 1 label: LABEL_OPTIONAL type: TYPE_DOUBLE }
    field { name: "step" number: 2 label: LABEL_OPTIONAL type: TYPE_INT64 }
    field { name: "file_version" number: 3 label: LABEL_OPTIONAL type: TYPE_STRING }
    field { name: "summary" number: 5 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".tb.Summary" }
    field { name: "session_log" number: 7 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".tb.Session" } }
)";

// Checks by the definition, bit by bit, without a table.
std::uint32_t plain_crc(std::string_view bytes) {
  std::uint32_t rest = 0xFFFFFFFF;
  for (const char byte : bytes) {
    rest ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0x82F63B78u : 0u);
  }
  return rest ^ 0xFFFFFFFF;
}

std::uint32_t masked(std::uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u; }

template <class Number>
Number number_at(const std::string& bytes, std::size_t at) {
  Number value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

// Each event as the text form of protobuf, on one line.
std::vector<std::string> events_of(const std::string& file) {
  static pb::DescriptorPool pool;
  static const pb::FileDescriptor* const descriptors = [] {
    pb::FileDescriptorProto form;
    EXPECT_TRUE(pb::TextFormat::ParseFromString(kDescriptors, &form));
    return pool.BuildFile(form);
  }();
  pb::DynamicMessageFactory factory;
  const pb::Message* const prototype = factory.GetPrototype(descriptors->FindMessageTypeByName("Event"));
  pb::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::vector<std::string> events;
  const std::string bytes = platform::read_file(file);
  for (std::size_t at = 0; at + 12 <= bytes.size();) {
    const auto length = number_at<std::uint64_t>(bytes, at);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, at + 8), masked(plain_crc(bytes.substr(at, 8))));
    const std::string content = bytes.substr(at + 12, length);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, at + 12 + length), masked(plain_crc(content)));
    const std::unique_ptr<pb::Message> event(prototype->New());
    EXPECT_TRUE(event->ParseFromString(content));
    EXPECT_TRUE(event->GetReflection()->GetUnknownFields(*event).empty());
    std::string text;
    printer.PrintToString(*event, &text);
    events.push_back(text.substr(0, text.find_last_not_of(' ') + 1));
    at += 16 + length;
  }
  return events;
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

class TensorBoard : public FolderTest {};

TEST_F(TensorBoard, EventsAreReadByProtobuf) {
  {
    const auto logger = tensorboard_logger(path("run"), {.clock = [] { return 1.5; }});
    logger->scalar("train/loss", 1, 0.25);
    logger->scalar("train/loss", -3, std::numeric_limits<double>::infinity());
    logger->scalar("lr", std::int64_t{1} << 40, 0.1);
    logger->text("edit", 2, "wider");
    logger->histogram("w", 3, Array::of<double>({4}, {1, 1, 1, 1}));
    logger->image("x", 4, Array(DType::u8, {2, 3, 3}));
  }
  const std::vector<std::string> files = files_in(path("run"));
  ASSERT_EQ(files.size(), 1u);
  EXPECT_NE(files[0].find("events.out.tfevents.0000000001."), std::string::npos) << files[0];
  const std::vector<std::string> events = events_of(files[0]);
  ASSERT_EQ(events.size(), 7u);
  EXPECT_EQ(events[0], R"(wall_time: 1.5 file_version: "brain.Event:2")");
  EXPECT_EQ(events[1], R"(wall_time: 1.5 step: 1 summary { value { tag: "train/loss" simple_value: 0.25 } })");
  EXPECT_EQ(events[2], R"(wall_time: 1.5 step: -3 summary { value { tag: "train/loss" simple_value: inf } })");
  EXPECT_EQ(events[3], R"(wall_time: 1.5 step: 1099511627776 summary { value { tag: "lr" simple_value: 0.1 } })");
  EXPECT_EQ(
      events[4],
      R"(wall_time: 1.5 step: 2 summary { value { tag: "edit" tensor { dtype: 7 tensor_shape { dim { size: 1 } } )"
      R"(string_val: "wider" } metadata { plugin_data { plugin_name: "text" } } } })");
  EXPECT_EQ(events[5],
            R"(wall_time: 1.5 step: 3 summary { value { tag: "w" histo { min: 1 max: 1 num: 4 sum: 4 sum_squares: 4 )"
            R"(bucket_limit: 1 bucket: 4 } } })");
  EXPECT_NE(events[6].find(R"(image { height: 2 width: 3 colorspace: 3 encoded_image_string: "\211PNG\r\n\032\n)"),
            std::string::npos)
      << events[6];
}

TEST_F(TensorBoard, AResumeBeginsAnotherFileAndTellsTheStep) {
  const auto clock = [] { return 1000.0; };
  tensorboard_logger(path("run"), {.clock = clock})->scalar("loss", 9, 1);
  tensorboard_logger(path("run"), {.resume_after = 5, .clock = clock})->scalar("loss", 6, 2);
  const std::vector<std::string> files = files_in(path("run"));
  ASSERT_EQ(files.size(), 2u);
  const std::vector<std::string> events = events_of(files[1]);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1], "wall_time: 1000 step: 6 session_log { status: 1 }");
  tensorboard_logger(path("run"), {.clock = clock});
  EXPECT_EQ(files_in(path("run")).size(), 1u) << "without a resume the folder begins anew";
}

TEST(Crc32c, IsThatOfTheStandard) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

}  // namespace
}  // namespace asg::train
