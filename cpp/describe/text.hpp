// What people write, in UTF-8: blanks, quoting, names of points, and diagrams of boards.
//
// Cells are numbered row by row from the top left; on boards of points columns are letters without I from the
// left and rows numbers from the bottom, so A1 is the first of the last row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tengen {

// Why something was refused, in one sentence. `Value` is a mistake of a program, the others are a person's.
struct Refused {
  enum class Kind { Notation, Illegal, Value };
  Kind kind;
  std::string message;
};
template <class T>
using OrRefused = std::variant<T, Refused>;

// The text without blanks around it, as Python's strip() sees them.
std::string_view stripped(std::string_view text);
bool is_blank(char letter);
bool is_digit(char letter);
bool is_ascii(std::string_view text);
std::string upper(std::string_view text);  // of ASCII letters
// In quotes, with escapes for what cannot be seen.
std::string quoted(std::string_view text);
// The first character, which may be several bytes; the text must not be empty.
std::string_view first_character(std::string_view text);

bool is_pass(std::string_view text);
std::string point_name(int cell, int width, int height);
// Blanks around it are allowed. Notation where it names no point, Illegal where the point lies beside the
// board.
OrRefused<int> read_point(std::string_view text, int width, int height);

// A board in text: the rows from the top, joined by `/`, with numbers for runs of empty cells. `letters` has
// one character a code, the empty cell's first.
std::string diagram(const std::vector<std::uint8_t>& cells, std::string_view letters, int width);
OrRefused<std::vector<std::uint8_t>> read_diagram(std::string_view text, std::string_view letters, int width,
                                                  int height);

}  // namespace tengen
