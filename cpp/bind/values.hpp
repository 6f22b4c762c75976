// The classes that the bindings of all games share, bound before the games.
#pragma once

#include "bind/bound.hpp"

namespace tengen {

void bind_batch_values(nb::module_& m);
void bind_search_values(nb::module_& m);
void bind_net_values(nb::module_& m);
void bind_text(nb::module_& m);

}  // namespace tengen
