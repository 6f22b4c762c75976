// CHECK(condition) for the C++ tests, from any thread: a failure is printed with its place, both results are
// counted, and the run goes on. main.cpp calls each test function and closes with the counts.
#pragma once

#include <atomic>
#include <cstdio>

namespace tengen::testing {

inline std::atomic<long> pass_count = 0;
inline std::atomic<long> failure_count = 0;

inline void check(bool holds, const char* condition, const char* file, int line) {
  ++(holds ? pass_count : failure_count);
  if (!holds) std::fprintf(stderr, "%s:%d: CHECK(%s) failed\n", file, line, condition);
}

}  // namespace tengen::testing

inline long passes() { return tengen::testing::pass_count; }
inline long failures() { return tengen::testing::failure_count; }

#define CHECK(...) ::tengen::testing::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
