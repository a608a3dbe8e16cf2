#pragma once

#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/source_location.h"

namespace asg {

// Every mistake a user can make has one stable code. The list is the only place where codes are
// declared; tests/must_fail holds a row for each of them.
//
// X(code, summary)
#define ASG_ERROR_CODES(X)                                                         \
  X(bad_dtype, "a dtype that is unknown or not allowed here")                      \
  X(bad_dim, "a dimension that is negative, overflows or cannot be computed")      \
  X(bad_shape, "a shape that does not fit")                                        \
  X(broadcast_mismatch, "shapes that cannot be broadcast together")                \
  X(bad_index, "an index outside its range")                                       \
  X(unknown_op, "an op name that no card carries")                                 \
  X(duplicate_op, "an op name that is registered twice")                           \
  X(bad_card, "an op card that contradicts itself")                                \
  X(wrong_input_count, "too few or too many inputs or outputs")                    \
  X(missing_input, "a required input that is absent")                              \
  X(unknown_attribute, "an attribute that the op does not have")                   \
  X(missing_attribute, "a required attribute that is absent")                      \
  X(bad_attribute, "an attribute of a wrong type or value")                        \
  X(type_mismatch, "a value of another type than needed")                          \
  X(foreign_tensor, "a tensor that belongs to another graph")                      \
  X(duplicate_name, "a name that is taken")                                        \
  X(bad_name, "a name with characters that are not allowed")                       \
  X(unknown_node, "a node id that the graph does not hold")                        \
  X(unknown_graph, "a graph that is not in the cache")                             \
  X(unknown_variable, "a variable that the graph does not hold")                   \
  X(unknown_scope, "a path that leads to no node")                                 \
  X(cycle, "a graph that feeds on itself")                                         \
  X(not_in_order, "a schedule that uses a value before it is computed")            \
  X(dangling_value, "a value that no node produces")                               \
  X(binding_mismatch, "a layer's parameters that do not match its slots")          \
  X(capture_mismatch, "a subgraph whose inputs do not match its captures")         \
  X(no_gradient, "a gradient that the op does not have")                           \
  X(not_scalar, "a loss that is not one number")                                   \
  X(not_expandable, "an op without a body")                                        \
  X(output_type_changed, "an edit that would change the type of an output")        \
  X(edit_refused, "an edit that does not apply here")                              \
  X(preserve_impossible, "a resize that cannot keep the function")                 \
  X(nothing_to_undo, "an undo or redo with nothing to act on")                     \
  X(bad_json, "a file that is not valid JSON or not of the expected form")         \
  X(bad_onnx, "a file that is not a valid ONNX model")                             \
  X(unsupported_version, "a file or op of a newer version")                        \
  X(limit_exceeded, "an input larger or deeper than the limits")                   \
  X(io_error, "a file that cannot be read or written")                             \
  X(missing_output, "an output that was asked for and nothing produced")           \
  X(missing_value, "an input or parameter without a value")                        \
  X(not_implemented, "an op that this backend does not implement")                 \
  X(no_side_overridden, "a backend that overrides neither side of the contract")   \
  X(computation_error, "a computation that cannot be carried out on these values") \
  X(out_of_memory, "memory that cannot be had")                                    \
  X(no_such_device, "a device or backend that does not exist here")                \
  X(bad_command, "a command that is not understood")                               \
  X(no_such_snapshot, "a snapshot that does not exist")

enum class ErrorCode {
#define ASG_CODE(code, summary) code,
  ASG_ERROR_CODES(ASG_CODE)
#undef ASG_CODE
};

std::string_view name_of(ErrorCode code);     // "broadcast_mismatch"
std::string_view summary_of(ErrorCode code);  // "shapes that cannot be broadcast together"
std::span<const ErrorCode> all_error_codes();

// A user's mistake: what was given, what is needed, how to mend it, and where it happened.
// Copyable and comparable by its fields. Bad input always ends in one of these, never in an abort.
struct ErrorDetail {
  ErrorCode code = ErrorCode::bad_command;
  std::string given;   // what the user gave: "shapes [2,3] and [4]"
  std::string needed;  // what is needed: "equal sizes, or 1, on each axis counted from the last"
  std::string mend;    // how to mend it: "reshape one of them, or …"
  std::string node;    // path of the node: "encoder/block_3/Add#17"; "" when there is none
  std::string where;   // source location, JSON pointer or ONNX node name; "" when unknown

  friend bool operator==(const ErrorDetail& a, const ErrorDetail& b);
};

class UserError : public std::exception {
 public:
  explicit UserError(ErrorDetail detail);

  ErrorCode code() const { return detail_.code; }
  const ErrorDetail& detail() const { return detail_; }
  const char* what() const noexcept override { return text_.c_str(); }

  // Adds what an outer layer knows and an inner one did not: the node, the place. Fields already set stay.
  UserError with_node(std::string node) const;
  UserError with_where(std::string where) const;

  friend bool operator==(const UserError& a, const UserError& b) { return a.detail_ == b.detail_; }

 private:
  ErrorDetail detail_;
  std::string text_;
};

// A mistake of ours. Says where, and asks for a report.
class InternalError : public std::exception {
 public:
  InternalError(std::string message, SourceLocation where);
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

[[noreturn]] void fail(ErrorCode code, std::string given, std::string needed, std::string mend = "");
[[noreturn]] void fail_internal(std::string message, SourceLocation where = SourceLocation::current());

// Checks an invariant of our own code.
inline void internal_check(bool holds, const char* message, SourceLocation where = SourceLocation::current()) {
  if (!holds) fail_internal(message, where);
}

// The name nearest to `name` by edit distance, for "did you mean …"; "" when none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace asg
