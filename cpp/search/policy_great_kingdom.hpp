// Great Kingdom for Monte Carlo search.
#pragma once

#include "games/great_kingdom.hpp"
#include "search/policy.hpp"
