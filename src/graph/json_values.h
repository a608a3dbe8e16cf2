#pragma once

#include "asg/graph/attributes.h"
#include "asg/graph/ids.h"
#include "asg/graph/variable.h"
#include "json_out.h"

// The small parts of the JSON form, for the graph writer and for journals. docs/json-format.md describes them.
namespace asg {

void write_value(JsonOut& out, Value value);         // 3, [3,1] or null
void write_array(JsonOut& out, const Array& array);  // {"type":"f32[2]","data":"…"}
void write_variable(JsonOut& out, const Variable& variable);
// Any attribute but a graph, which only the graph writer can write.
void write_plain_attr(JsonOut& out, const Attr& attr);
// Attributes with graphs in them, as an object.
void write_attrs(JsonOut& out, const Attrs& attrs);

}  // namespace asg
