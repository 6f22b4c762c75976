// How the core refuses what it was given: an exception, or where there are none (WebAssembly) a call out of
// the module that does not come back. There the destructors on the way are not run, so whoever is there
// throws the module's memory away (web/src/engine/core/module.ts).
#pragma once

#include <stdexcept>
#include <string>

namespace tengen {

struct InvalidOption : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
struct InvalidPosition : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

#ifdef __cpp_exceptions
template <class Error>
[[noreturn]] void fail(const std::string& message) {
  throw Error(message);
}
#else
[[noreturn]] void fail_outside(const std::string& message);

template <class Error>
[[noreturn]] void fail(const std::string& message) {
  fail_outside(message);
}
#endif

}  // namespace tengen
