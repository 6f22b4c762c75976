#include "bind/plain.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "bind/bound.hpp"
#include "bind/values.hpp"

namespace tengen {

std::string from_python_text(nb::handle text) {
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nb::python_error();
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

nb::object to_python_text(std::string_view text) {
  nb::object result =
      nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
  if (!result.is_valid()) throw nb::python_error();
  return result;
}

namespace {

struct ToPython {
  nb::object operator()(std::monostate) const { return nb::none(); }
  nb::object operator()(bool value) const { return nb::bool_(value); }
  nb::object operator()(std::int64_t value) const { return nb::int_(value); }
  nb::object operator()(double value) const { return nb::float_(value); }
  nb::object operator()(const std::string& value) const { return to_python_text(value); }
  nb::object operator()(const Json::Array& items) const {
    const nb::object result = nb::steal(PyList_New(static_cast<Py_ssize_t>(items.size())));
    for (std::size_t i = 0; i < items.size(); ++i)
      PyList_SET_ITEM(result.ptr(), static_cast<Py_ssize_t>(i), to_python(items[i]).release().ptr());
    return result;
  }
  nb::object operator()(const Json::Tuple& tuple) const { return nb::tuple((*this)(tuple.items)); }
  nb::object operator()(const Json::Object& members) const {
    nb::dict result;
    for (const auto& [name, value] : members) result[to_python_text(name)] = to_python(value);
    return result;
  }
};

}  // namespace

nb::object to_python(const Json& value) { return value.visit(ToPython{}); }

Json from_python(nb::handle value) {
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
  if (PyLong_Check(value.ptr())) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    return overflow == 0 ? Json(number) : Json();
  }
  if (PyFloat_Check(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
  if (PyUnicode_Check(value.ptr())) return from_python_text(value);
  if (!PyDict_Check(value.ptr())) return {};
  Json::Object members;
  for (const auto [name, member] : nb::borrow<nb::dict>(value))
    members.emplace_back(from_python_text(name), from_python(member));
  return members;
}

void raise(const Refused& refused) {
  if (refused.kind == Refused::Kind::Illegal) throw IllegalAction(refused.message);
  const nb::object kind = refused.kind == Refused::Kind::Value
                              ? nb::borrow(PyExc_ValueError)
                              : nb::module_::import_("tengen.facets.errors").attr("NotationError");
  PyErr_SetObject(kind.ptr(), to_python_text(refused.message).ptr());
  throw nb::python_error();
}

namespace {

// Any sequence of ints that are codes.
std::vector<std::uint8_t> codes_from(nb::handle values) {
  if (PyBytes_Check(values.ptr())) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(PyBytes_AS_STRING(values.ptr()));
    return {first, first + PyBytes_GET_SIZE(values.ptr())};
  }
  std::vector<std::uint8_t> codes;
  for (const nb::handle value : nb::iter(values))
    codes.push_back(static_cast<std::uint8_t>(to_action(value)));
  return codes;
}

}  // namespace

void bind_text(nb::module_& m) {
  m.def(
      "diagram",
      [](nb::iterable cells, nb::str letters, int width) {
        const std::vector<std::uint8_t> codes = codes_from(cells);
        const std::size_t known = nb::len(letters);
        if (width < 1 || std::ranges::any_of(codes, [&](std::uint8_t code) { return code >= known; }))
          throw nb::index_error("A cell has a code that no letter stands for.");
        return to_python_text(diagram(codes, from_python_text(letters), width));
      },
      "cells"_a, "letters"_a, "width"_a,
      nb::sig("def diagram(cells: collections.abc.Sequence[int], letters: str, width: int) -> str"),
      "The rows from the top, joined by `/`, with numbers for runs of empty cells.");
  m.def(
      "read_diagram",
      [](nb::str text, nb::str letters, int width, int height) {
        const std::string known = from_python_text(letters);
        const auto found = read_diagram(from_python_text(text), known, width, height);
        const auto& cells = unless_refused(found);
        return nb::bytes(reinterpret_cast<const char*>(cells.data()), cells.size());
      },
      "text"_a, "letters"_a, "width"_a, "height"_a, "The cells of a board in text; raises NotationError.");
  m.def(
      "point_name", [](int cell, int width, int height) { return point_name(cell, width, height); }, "cell"_a,
      "width"_a, "height"_a, "A point as people say it: D4.");
  m.def(
      "read_point",
      [](nb::str text, int width, int height) {
        return unless_refused(read_point(from_python_text(text), width, height));
      },
      "text"_a, "width"_a, "height"_a,
      "The cell of that name; raises NotationError, and IllegalAction for one beside the board.");
}

}  // namespace tengen
