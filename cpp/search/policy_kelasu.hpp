// Kelasu is searched by alpha-beta.
#pragma once

#include "search/kelasu_search.hpp"

namespace tengen {

template <>
struct SearchOf<Kelasu> {
  using type = KelasuSearch;
};

}  // namespace tengen
