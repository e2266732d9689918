// Pieces of markup that the parts of the HTML report share.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "report/format.hpp"

namespace chainmail::html {

inline std::string escaped(std::string_view text) {
  return xml_escaped(text);
}

inline std::string element(std::string_view tag, std::string_view content) {
  return fmt::format("<{0}>{1}</{0}>\n", tag, content);
}

// A user's name: shortened if there is no room, complete in its tooltip.
inline std::string name_cell(std::string_view name) {
  return fmt::format("<span class=\"name\" title=\"{0}\">{0}</span>", escaped(name));
}

inline std::string figure(const std::string& svg, std::string_view caption, bool wide = false) {
  std::string html = wide ? "<figure class=\"wide\">" : "<figure>";
  html += "<div class=\"scroll\">\n" + svg + "</div>";
  if (!caption.empty()) html += fmt::format("<figcaption>{}</figcaption>", escaped(caption));
  return html + "</figure>\n";
}

inline std::string figures(const std::string& content) {
  return content.empty() ? "" : "<div class=\"figures\">\n" + content + "</div>\n";
}

}  // namespace chainmail::html
