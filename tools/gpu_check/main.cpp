// Writes what `make gpu-check` compiles and runs: for each kernel described in a folder its CUDA source, its inputs
// and what the reference computes from them; and the table of them that tools/gpu_check/run.cu includes.
//   asg_gpu_check <folder with *.kernel> <folder to write into>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "asg/compile/kernel.h"
#include "asg/compile/render_cuda.h"

namespace asg {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write(const fs::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file) fail(ErrorCode::io_error, path.string() + " cannot be written", "a folder that can be written to");
}

// How many elements an argument addresses, counted from the start of its array.
std::int64_t elements_of(const Kernel& kernel, std::size_t number) {
  const KernelArgument& argument = kernel.arguments[number];
  std::int64_t last = argument.offset;
  for (std::size_t axis = 0; axis < kernel.space.size(); ++axis) {
    last += std::max<std::int64_t>(0, (kernel.space[axis] - 1) * argument.strides[axis]);
  }
  for (const KernelInstruction& instruction : kernel.instructions) {
    const bool gathers = instruction.argument == static_cast<int>(number) && instruction.gather_length > 0;
    if (gathers) last += (instruction.gather_length - 1) * instruction.gather_stride;
  }
  return last + 1;
}

// Normal numbers; integers from -4 to 4, so that they can be indices.
Array filled(const Kernel& kernel, std::size_t number) {
  Array result(kernel.arguments[number].dtype, {elements_of(kernel, number)});
  if (kernel.arguments[number].output) return result;
  const RandomStream stream(number, 2024);
  for (std::int64_t k = 0; k < result.count(); ++k) {
    const auto position = static_cast<std::uint64_t>(k);
    if (is_integer(result.dtype())) {
      result.set_i64(k, static_cast<std::int64_t>(stream.below(position, 9)) - 4);
    } else {
      result.set(k, stream.normal(position));
    }
  }
  return result;
}

// The line of the source that declares the kernel.
std::string declaration(const std::string& source) {
  const std::size_t begin = source.find("extern \"C\" __global__");
  return source.substr(begin, source.find(" {", begin) - begin) + ";\n";
}

struct Table {
  std::string declarations;
  std::string rows;
};

void write_case(const fs::path& description, const fs::path& folder, Table& table) {
  const std::string name = description.stem().string();
  const Kernel kernel = kernel_from_text(read_text(description));
  const std::string source = render_cuda(kernel, name);
  write(folder / (name + ".cu"), source);
  const CudaLaunch launch = cuda_launch(kernel);
  table.declarations += declaration(source);
  table.rows += "    {\"" + name + "\", reinterpret_cast<const void*>(" + name + "), " + std::to_string(launch.grid) +
                ", " + std::to_string(launch.block) + ", {";
  std::vector<Array> arrays;
  for (std::size_t k = 0; k < kernel.arguments.size(); ++k) arrays.push_back(filled(kernel, k));
  run_kernel_reference(kernel, arrays);
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const std::string file = name + '.' + std::to_string(k) + ".bin";
    write(folder / file, {reinterpret_cast<const char*>(arrays[k].raw()), static_cast<std::size_t>(arrays[k].bytes())});
    table.rows += std::string(k > 0 ? ", " : "") + "{\"" + std::string(name_of(arrays[k].dtype())) + "\", " +
                  (kernel.arguments[k].output ? "true" : "false") + ", \"" + file + "\"}";
  }
  table.rows += "}},\n";
}

void write_all(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  std::vector<fs::path> descriptions;
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    if (entry.path().extension() == ".kernel") descriptions.push_back(entry.path());
  }
  std::sort(descriptions.begin(), descriptions.end());
  Table table;
  for (const fs::path& description : descriptions) write_case(description, to, table);
  write(to / "cases.inc", table.declarations + "\nconst std::vector<Case> kCases = {\n" + table.rows + "};\n");
}

}  // namespace
}  // namespace asg

int main(int argument_count, char** arguments) {
  try {
    if (argument_count != 3) {
      asg::fail(asg::ErrorCode::bad_command, std::to_string(argument_count - 1) + " arguments",
                "a folder with kernels and a folder to write into");
    }
    asg::write_all(arguments[1], arguments[2]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
