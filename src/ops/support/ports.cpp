#include "ops/support/ports.h"

namespace asg::ops {

std::vector<Port> x_port(DTypeSet dtypes) {
  return {{.name = "x", .dtypes = dtypes, .words = {"a tensor of any shape", "тензор любой формы"}}};
}

std::vector<Port> y_port(DTypeSet dtypes) {
  return {{.name = "y", .dtypes = dtypes, .words = {"the result, of the shape of x", "результат той же формы, что x"}}};
}

std::vector<Port> operand_ports(DTypeSet dtypes) {
  return {{.name = "a", .dtypes = dtypes, .words = {"the left operand", "левый операнд"}},
          {.name = "b",
           .dtypes = dtypes,
           .words = {"the right operand; its shape must broadcast with that of a",
                     "правый операнд; его форма должна быть совместима с формой a при растягивании"}}};
}

std::vector<Port> variadic_ports(DTypeSet dtypes) {
  return {{.name = "x", .dtypes = dtypes, .words = {"the first operand", "первый операнд"}},
          {.name = "others",
           .dtypes = dtypes,
           .kind = PortKind::variadic,
           .words = {"any number of further operands; all shapes must broadcast together",
                     "сколько угодно других операндов; все формы должны быть совместимы при растягивании"}}};
}

std::vector<Port> broadcast_port(DTypeSet dtypes) {
  return {{.name = "y",
           .dtypes = dtypes,
           .words = {"the result, of the shape to which the inputs broadcast",
                     "результат той формы, до которой растягиваются входы"}}};
}

std::vector<Port> bool_port() {
  return {{.name = "y",
           .dtypes = kBool,
           .type = "",
           .words = {"true or false for each place of the broadcast shape",
                     "истина или ложь для каждого места общей формы"},
           .differentiable = false}};
}

std::vector<Port> reduction_inputs(DTypeSet dtypes) {
  return {
      {.name = "x", .dtypes = dtypes, .words = {"The tensor to reduce.", "Тензор, к которому применяется редукция."}},
      {.name = "axes",
       .dtypes = kInt64,
       .type = "",
       .kind = PortKind::optional,
       .words = {"The axes to reduce, negative ones counted from the end; all axes when absent or empty.",
                 "Оси, по которым идёт редукция; отрицательные считаются с конца. Если входа нет или он пуст, то все."},
       .differentiable = false}};
}

std::vector<Port> reduction_output(DTypeSet dtypes) {
  return {{.name = "y",
           .dtypes = dtypes,
           .words = {"The result; reduced axes have length 1, or are gone without keepdims.",
                     "Результат; у осей редукции длина 1, а без keepdims их нет вовсе."}}};
}

std::vector<AttrSpec> reduction_attributes() {
  return {{.name = "keepdims",
           .kind = AttrKind::boolean,
           .fallback = Attr(true),
           .words = {"Whether reduced axes stay, with length 1, so that the result broadcasts against x.",
                     "Остаются ли оси редукции с длиной 1, чтобы результат растягивался обратно до x."}},
          {.name = "noop_with_empty_axes",
           .kind = AttrKind::boolean,
           .fallback = Attr(false),
           .words = {"Whether no axes mean none: every element is then reduced alone. Otherwise they mean all.",
                     "Означает ли отсутствие осей «ни одной»: тогда каждый элемент обрабатывается сам по себе. Иначе "
                     "оно означает все оси."}}};
}

}  // namespace asg::ops
