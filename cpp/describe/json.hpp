// Plain data between the core and those who use it: JSON in and out, and what Python makes objects of.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tengen {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;  // in the order in which it was written
  struct Tuple {                                             // an array of fixed length, a tuple to Python
    Array items;
  };

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Json(T value) : value_(static_cast<std::int64_t>(value)) {}
  Json(double value) : value_(value) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}
  Json(Tuple value) : value_(std::move(value)) {}

  // An array of what another container holds.
  template <class Values>
  static Json list(const Values& values) {
    Array items;
    items.reserve(values.size());
    for (const auto& value : values) items.emplace_back(value);
    return items;
  }
  template <class T>
  static Json pair(const T& first, const T& second) {
    return Tuple{{Json(first), Json(second)}};
  }
  template <class T>
  static Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
  }

  // The member of an object, or null where there is none.
  const Json& operator[](std::string_view name) const;
  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool truth(bool otherwise = false) const;
  std::int64_t integer(std::int64_t otherwise = 0) const;
  double number(double otherwise = 0) const;
  std::string_view text(std::string_view otherwise = {}) const;
  const Array& items() const;         // empty for what is no array
  std::vector<int> integers() const;  // what is no small number is the lowest int

  std::string written() const;
  // Nothing where the text is not JSON or nests too deeply.
  static std::optional<Json> read(std::string_view text);

  template <class F>
  auto visit(F&& f) const {
    return std::visit(std::forward<F>(f), value_);
  }

 private:
  void write(std::string& out) const;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object, Tuple> value_;
};

}  // namespace tengen
