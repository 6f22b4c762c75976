// A square board as plain cells, and its parts found by walking: what the tests of Go and Great Kingdom hold
// the incremental boards against.
#pragma once

#include <cstdint>
#include <vector>

namespace tengen {

using Cells = std::vector<std::uint8_t>;

template <class S>
Cells cells_of(const S& state) {
  Cells cells(state.cell_count());
  state.cells(cells);
  return cells;
}

inline std::vector<int> neighbours(int cell, int size) {
  std::vector<int> around;
  if (cell >= size) around.push_back(cell - size);
  if (cell % size > 0) around.push_back(cell - 1);
  if (cell % size < size - 1) around.push_back(cell + 1);
  if (cell < size * (size - 1)) around.push_back(cell + size);
  return around;
}

// A connected part of the board with one code, and the cells around it, each once.
struct Part {
  std::vector<int> members;
  std::vector<int> border;
};

inline Part part_of(const Cells& cells, int size, int from) {
  Part part;
  std::vector<bool> seen(cells.size());
  std::vector<int> stack{from};
  seen[from] = true;
  while (!stack.empty()) {
    const int cell = stack.back();
    stack.pop_back();
    if (cells[cell] != cells[from]) {
      part.border.push_back(cell);
      continue;
    }
    part.members.push_back(cell);
    for (const int next : neighbours(cell, size)) {
      if (seen[next]) continue;
      seen[next] = true;
      stack.push_back(next);
    }
  }
  return part;
}

}  // namespace tengen
