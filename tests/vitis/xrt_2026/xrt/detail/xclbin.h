#pragma once
#include <cstdint>
struct axlf_header {
  uint64_t m_length;
  char m_debug_bin[16];
};
struct axlf_section_header {
  uint32_t m_sectionKind;
};
struct axlf {
  char m_magic[8];
  uint64_t m_uniqueId;
  axlf_header m_header;
  axlf_section_header m_sections[1];
};
