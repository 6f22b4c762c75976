#include "describe/json.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace tengen {

namespace {

const Json kNull;
const Json::Array kNothing;
constexpr int kDeepest = 32;

void write_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += letter;
    } else if (code < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(code));
      out += escaped;
    } else {
      out += letter;
    }
  }
  out += '"';
}

void write_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  out += digits;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<Json> whole() {
    Json value;
    if (!read(value, 0)) return {};
    skip();
    return at_ == text_.size() ? std::optional(std::move(value)) : std::nullopt;
  }

 private:
  bool read(Json& value, int depth) {
    skip();
    if (depth > kDeepest || at_ == text_.size()) return false;
    switch (text_[at_]) {
      case '{':
        return read_object(value, depth);
      case '[':
        return read_array(value, depth);
      case '"': {
        std::string found;
        if (!read_text(found)) return false;
        value = std::move(found);
        return true;
      }
      case 't':
        value = true;
        return take("true");
      case 'f':
        value = false;
        return take("false");
      case 'n':
        value = nullptr;
        return take("null");
      default:
        return read_number(value);
    }
  }

  bool read_object(Json& value, int depth) {
    Json::Object members;
    ++at_;
    while (!next('}')) {
      std::string name;
      skip();
      if (!members.empty() && !next(',')) return false;
      skip();
      Json member;
      if (!read_text(name) || !next(':') || !read(member, depth + 1)) return false;
      members.emplace_back(std::move(name), std::move(member));
    }
    value = std::move(members);
    return true;
  }

  bool read_array(Json& value, int depth) {
    Json::Array items;
    ++at_;
    while (!next(']')) {
      if (!items.empty() && !next(',')) return false;
      items.emplace_back();
      if (!read(items.back(), depth + 1)) return false;
    }
    value = std::move(items);
    return true;
  }

  bool read_text(std::string& out) {
    if (!next('"')) return false;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] != '\\') {
        out += text_[at_++];
      } else if (!read_escape(out)) {
        return false;
      }
    }
    return at_ < text_.size() && text_[at_++] == '"';
  }

  bool read_escape(std::string& out) {
    static constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    if (++at_ == text_.size()) return false;
    const char kind = text_[at_++];
    if (const std::size_t found = kFrom.find(kind); found != kFrom.npos) {
      out += kTo[found];
      return true;
    }
    unsigned code = 0;
    if (kind != 'u' || !read_code(code)) return false;
    unsigned low = 0;
    if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      if (!read_code(low)) return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low & 0x3ff);
    }
    write_code(out, code);
    return true;
  }

  bool read_code(unsigned& code) {
    for (int i = 0; i < 4; ++i) {
      if (at_ == text_.size()) return false;
      const char digit = text_[at_++];
      const std::size_t value = std::string_view("0123456789abcdefABCDEF").find(digit);
      if (value == std::string_view::npos) return false;
      code = code * 16 + static_cast<unsigned>(value < 16 ? value : value - 6);
    }
    return true;
  }

  static void write_code(std::string& out, unsigned code) {
    const auto add = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xc0 | code >> 6);
      add(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
      add(0xe0 | code >> 12);
      add(0x80 | (code >> 6 & 0x3f));
      add(0x80 | (code & 0x3f));
    } else {
      add(0xf0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3f));
      add(0x80 | (code >> 6 & 0x3f));
      add(0x80 | (code & 0x3f));
    }
  }

  bool read_number(Json& value) {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           std::string_view("+-.0123456789eE").find(text_[at_]) != std::string_view::npos)
      ++at_;
    const std::string digits(text_.substr(start, at_ - start));
    char* end = nullptr;
    const double found = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != 0 || !std::isfinite(found)) return false;
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (digits.find_first_of(".eE") == digits.npos && std::fabs(found) <= kExact)
      value = static_cast<std::int64_t>(found);
    else
      value = found;
    return true;
  }

  void skip() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool next(char wanted) {
    skip();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Json& Json::operator[](std::string_view name) const {
  if (const auto* members = std::get_if<Object>(&value_))
    for (const auto& [key, value] : *members)
      if (key == name) return value;
  return kNull;
}

bool Json::truth(bool otherwise) const {
  const bool* value = std::get_if<bool>(&value_);
  return value == nullptr ? otherwise : *value;
}

std::int64_t Json::integer(std::int64_t otherwise) const {
  const std::int64_t* value = std::get_if<std::int64_t>(&value_);
  return value == nullptr ? otherwise : *value;
}

double Json::number(double otherwise) const {
  if (const double* value = std::get_if<double>(&value_)) return *value;
  const std::int64_t* value = std::get_if<std::int64_t>(&value_);
  return value == nullptr ? otherwise : static_cast<double>(*value);
}

std::string_view Json::text(std::string_view otherwise) const {
  const std::string* value = std::get_if<std::string>(&value_);
  return value == nullptr ? otherwise : std::string_view(*value);
}

const Json::Array& Json::items() const {
  if (const Tuple* tuple = std::get_if<Tuple>(&value_)) return tuple->items;
  const Array* array = std::get_if<Array>(&value_);
  return array == nullptr ? kNothing : *array;
}

std::vector<int> Json::integers() const {
  constexpr std::int64_t kLeast = std::numeric_limits<int>::min();
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  std::vector<int> found;
  for (const Json& item : items()) {
    const std::int64_t value = item.integer(kLeast);
    found.push_back(static_cast<int>(value < kLeast || value > kMost ? kLeast : value));
  }
  return found;
}

std::string Json::written() const {
  std::string out;
  write(out);
  return out;
}

void Json::write(std::string& out) const {
  if (const auto* members = std::get_if<Object>(&value_)) {
    out += '{';
    for (const auto& [key, value] : *members) {
      if (out.back() != '{') out += ',';
      write_text(out, key);
      out += ':';
      value.write(out);
    }
    out += '}';
  } else if (std::holds_alternative<Array>(value_) || std::holds_alternative<Tuple>(value_)) {
    out += '[';
    for (const Json& item : items()) {
      if (out.back() != '[') out += ',';
      item.write(out);
    }
    out += ']';
  } else if (const auto* text = std::get_if<std::string>(&value_)) {
    write_text(out, *text);
  } else if (const auto* number = std::get_if<double>(&value_)) {
    write_number(out, *number);
  } else if (const auto* whole = std::get_if<std::int64_t>(&value_)) {
    out += std::to_string(*whole);
  } else if (const auto* truth = std::get_if<bool>(&value_)) {
    out += *truth ? "true" : "false";
  } else {
    out += "null";
  }
}

std::optional<Json> Json::read(std::string_view text) { return Reader(text).whole(); }

}  // namespace tengen
