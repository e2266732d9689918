// Stand-ins for the headers of XRT 2.21 (2026.1), declarations only and only those the worker uses,
// after the native API's documentation: what the worker calls must exist there and must not be deprecated.
#pragma once
#define XRT_VERSION(major, minor) ((major << 16) + (minor))
#define XRT_VERSION_CODE XRT_VERSION(2, 21)
