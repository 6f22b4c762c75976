// Plain data and text between Python and the core.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "describe/json.hpp"
#include "describe/text.hpp"

namespace tengen {

namespace nb = nanobind;

// Any str, also one with halves of surrogates, which come back as they were.
std::string from_python_text(nb::handle text);
nb::object to_python_text(std::string_view text);

nb::object to_python(const Json& value);
Json from_python(nb::handle value);  // what is no plain data is null

// Raises what the kind of refusal is in Python.
[[noreturn]] void raise(const Refused& refused);

template <class T>
const T& unless_refused(const OrRefused<T>& found) {
  if (const Refused* refused = std::get_if<Refused>(&found)) raise(*refused);
  return *std::get_if<T>(&found);
}

}  // namespace tengen
