// The one Catch2 main that every test program links.
#define CATCH_CONFIG_MAIN  // of Catch2 3 it is in libCatch2Main, which the Makefile links
#include <catch2/catch.hpp>
