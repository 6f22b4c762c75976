#include "describe/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tengen {

namespace {

constexpr std::string_view kColumns = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
constexpr std::array<std::string_view, 3> kPassWords{"pass", "p", "--"};
constexpr std::size_t kLongestNumber = 7;  // digits of a run; no board is wider

struct Range {
  unsigned first;
  unsigned last;
};
constexpr Range kBlanks[] = {{0x09, 0x0d},     {0x1c, 0x20},     {0x85, 0x85},     {0xa0, 0xa0},
                             {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f},
                             {0x205f, 0x205f}, {0x3000, 0x3000}};
// Controls, what joins or turns the text around it, and what stands for nothing.
constexpr Range kUnseen[] = {{0x00, 0x1f},     {0x7f, 0xa0},     {0xad, 0xad},     {0x1680, 0x1680},
                             {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000},
                             {0xd800, 0xf8ff}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xe0000, 0x10ffff}};

template <std::size_t N>
bool within(const Range (&ranges)[N], unsigned code) {
  return std::ranges::any_of(ranges, [&](const Range& r) { return r.first <= code && code <= r.last; });
}

unsigned code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(character[i]));
  };
  if (character.size() == 1) return byte(0);
  unsigned code = byte(0) & (0xffu >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3f);
  return code;
}

std::string escaped(unsigned code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  char out[16];
  std::snprintf(out, sizeof out, code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
  return out;
}

std::string_view last_character(std::string_view text) {
  std::size_t start = text.size() - 1;
  while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
  return text.substr(start);
}

}  // namespace

bool is_blank(char letter) { return within(kBlanks, static_cast<unsigned char>(letter)); }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& letter : result)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return result;
}

std::string_view first_character(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) ++length;
  return text.substr(0, length);
}

std::string_view stripped(std::string_view text) {
  while (!text.empty() && within(kBlanks, code_of(first_character(text))))
    text.remove_prefix(first_character(text).size());
  while (!text.empty() && within(kBlanks, code_of(last_character(text))))
    text.remove_suffix(last_character(text).size());
  return text;
}

std::string quoted(std::string_view text) {
  const bool doubled = text.find('\'') != text.npos && text.find('"') == text.npos;
  const char quote = doubled ? '"' : '\'';
  std::string out(1, quote);
  while (!text.empty()) {
    const std::string_view one = first_character(text);
    text.remove_prefix(one.size());
    const unsigned code = code_of(one);
    if (one[0] == quote || one[0] == '\\') out += '\\';
    if (code != ' ' && within(kUnseen, code))
      out += escaped(code);
    else
      out += one;
  }
  return out + quote;
}

bool is_pass(std::string_view text) {
  const std::string word = upper(stripped(text));
  return std::ranges::any_of(kPassWords, [&](std::string_view known) { return upper(known) == word; });
}

std::string point_name(int cell, int width, int height) {
  return kColumns[static_cast<std::size_t>(cell % width)] + std::to_string(height - cell / width);
}

OrRefused<int> read_point(std::string_view text, int width, int height) {
  const std::string word = upper(stripped(text));
  std::size_t at = 1;
  while (at < word.size() && is_blank(word[at])) ++at;
  const std::string digits = word.size() > at ? word.substr(at) : "";
  const bool fits = !word.empty() && word[0] >= 'A' && word[0] <= 'Z' && is_ascii(word) && !digits.empty() &&
                    digits.size() <= 2 && std::ranges::all_of(digits, is_digit);
  using Kind = Refused::Kind;
  if (!fits) return Refused{Kind::Notation, quoted(text) + " is neither a point such as D4 nor 'pass'."};
  if (word[0] == 'I')
    return Refused{Kind::Notation, "There is no column I: the columns go from H straight to J."};
  const int row = std::stoi(digits);
  const int column = static_cast<int>(kColumns.find(word[0]));
  if (column >= width || row < 1 || row > height)
    return Refused{Kind::Illegal, word[0] + std::to_string(row) +
                                      " is not on the board, which goes from A1 to " +
                                      point_name(width - 1, width, height) + "."};
  return (height - row) * width + column;
}

std::string diagram(const std::vector<std::uint8_t>& cells, std::string_view letters, int width) {
  std::vector<std::string_view> names;
  while (!letters.empty()) {
    names.push_back(first_character(letters));
    letters.remove_prefix(names.back().size());
  }
  std::string out;
  int run = 0;
  const auto end_run = [&] {
    if (run > 0) out += std::to_string(run);
    run = 0;
  };
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    if (cell > 0 && cell % static_cast<std::size_t>(width) == 0) {
      end_run();
      out += '/';
    }
    if (cells[cell] == 0) {
      ++run;
      continue;
    }
    end_run();
    out += names[cells[cell]];
  }
  end_run();
  return out;
}

namespace {

// The code of a letter, 0 where there is none such.
std::uint8_t code_of_letter(std::string_view one, std::string_view letters) {
  std::uint8_t code = 0;
  while (!letters.empty()) {
    const std::string_view known = first_character(letters);
    if (code > 0 && known == one) return code;
    letters.remove_prefix(known.size());
    ++code;
  }
  return 0;
}

std::string pieces_of(std::string_view letters) {
  std::string out;
  letters.remove_prefix(first_character(letters).size());
  while (!letters.empty()) {
    if (!out.empty()) out += ' ';
    out += first_character(letters);
    letters.remove_prefix(first_character(letters).size());
  }
  return out;
}

}  // namespace

OrRefused<std::vector<std::uint8_t>> read_diagram(std::string_view text, std::string_view letters, int width,
                                                  int height) {
  using Kind = Refused::Kind;
  text = stripped(text);
  const auto rows = static_cast<int>(std::ranges::count(text, '/')) + 1;
  if (rows != height)
    return Refused{Kind::Notation, "The position has " + std::to_string(rows) + " rows and the board " +
                                       std::to_string(height) + "."};
  std::vector<std::uint8_t> cells;
  for (int row = 1; row <= rows; ++row) {
    const std::size_t before = cells.size();
    const std::size_t end = std::min(text.find('/'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!rest.empty()) {
      const std::string_view one = first_character(rest);
      std::size_t digits = 0;
      while (digits < rest.size() && is_digit(rest[digits])) ++digits;
      if (digits > 0) {
        // Too long is too long, however much.
        const int run = digits <= kLongestNumber ? std::stoi(std::string(rest.substr(0, digits))) : width + 1;
        if (const std::uint8_t code = digits == 1 ? code_of_letter(one, letters) : std::uint8_t{0}; code > 0)
          cells.push_back(code);
        else
          cells.resize(cells.size() + static_cast<std::size_t>(std::min(run, width + 1)));
        rest.remove_prefix(digits);
      } else if (const std::uint8_t code = code_of_letter(one, letters); code > 0) {
        cells.push_back(code);
        rest.remove_prefix(one.size());
      } else {
        return Refused{Kind::Notation, quoted(one) + " is no piece: use " + pieces_of(letters) +
                                           " and numbers for empty cells."};
      }
    }
    if (cells.size() - before != static_cast<std::size_t>(width))
      return Refused{Kind::Notation, "Row " + std::to_string(row) + " of the position is not " +
                                         std::to_string(width) + " cells wide."};
  }
  return cells;
}

}  // namespace tengen
