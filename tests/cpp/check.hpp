// CHECK(condition) for the C++ tests: a failure is printed with its place and counted, and the run goes
// on. The runner calls each test function and returns failures() != 0.
#pragma once

#include <cstdio>

namespace tengen::testing {

inline int failure_count = 0;

inline void check(bool holds, const char* condition, const char* file, int line) {
  if (holds) return;
  ++failure_count;
  std::fprintf(stderr, "%s:%d: CHECK(%s) failed\n", file, line, condition);
}

}  // namespace tengen::testing

inline int failures() { return tengen::testing::failure_count; }

#define CHECK(...) ::tengen::testing::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
