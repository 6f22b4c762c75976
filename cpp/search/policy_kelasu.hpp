// Kelasu for Monte Carlo search.
#pragma once

#include "games/kelasu.hpp"
#include "search/policy.hpp"
