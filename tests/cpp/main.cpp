// Runs every C++ test, each with its time, and closes with the number of checks that passed and failed.
#include <chrono>
#include <cstdio>
#include <exception>

#include "check.hpp"

void test_batch();
void test_core();
void test_dominion_duel();
void test_go();
void test_great_kingdom();
void test_kelasu();
void test_kelasu_eval();
void test_net();
void test_net_search();
void test_search();

namespace {

void run(const char* name, void (*test)()) {
  const auto start = std::chrono::steady_clock::now();
  const long passed_before = passes();
  const long failed_before = failures();
  try {
    test();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s stopped: %s\n", name, error.what());
    CHECK(!"an exception escaped");
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%-14s %9ld passed, %ld failed, %.1f s\n", name, passes() - passed_before,
              failures() - failed_before, took.count());
  std::fflush(stdout);
}

}  // namespace

int main() {
  run("batch", test_batch);
  run("core", test_core);
  run("dominion_duel", test_dominion_duel);
  run("go", test_go);
  run("great_kingdom", test_great_kingdom);
  run("kelasu", test_kelasu);
  run("kelasu_eval", test_kelasu_eval);
  run("net", test_net);
  run("net_search", test_net_search);
  run("search", test_search);
  std::printf("%ld passed, %ld failed\n", passes(), failures());
  return failures() == 0 ? 0 : 1;
}
