#include "device/cpu/form_blocks.hpp"

#include <algorithm>

namespace chainmail {

FormBlocks::FormBlocks(const FormModel& model) {
  for (const FormLimits& limits : model.limits) {
    lower.push_back(limits.lower);
    upper.push_back(limits.upper);
  }
  lower.resize(model.limits.size() + kBlock, kNoLower);
  upper.resize(model.limits.size() + kBlock, kNoUpper);
  add(model, model.free_bits);
  free_blocks = blocks.size();
  group_start.push_back(blocks.size());
  for (std::size_t group = 0; group < model.groups.size(); ++group) {
    add(model, model.groups[group]);
    group_start.push_back(blocks.size());
  }
}

void FormBlocks::add(const FormModel& model, std::span<const std::uint32_t> bits) {
  const auto none = static_cast<std::uint32_t>(model.forms.size());
  for (std::size_t from = 0; from < bits.size(); from += kBlock) {
    FormBlock block{};
    block.count = static_cast<std::uint32_t>(std::min(kBlock, bits.size() - from));
    block.first_layer = static_cast<std::uint32_t>(layers.size());
    block.in_row = block.count == kBlock && bits[from + kBlock - 1] - bits[from] == kBlock - 1;
    std::size_t most = 0;
    for (std::size_t lane = 0; lane < kBlock; ++lane) {
      block.bits[lane] = bits[from + std::min<std::size_t>(lane, block.count - 1)];
      block.in_row = block.in_row && block.bits[lane] == block.bits[0] + lane;
      most = std::max(most, model.at_bit[block.bits[lane]].size());
    }
    block.layers = static_cast<std::uint32_t>(most);
    for (std::size_t k = 0; k < most; ++k) {
      FormLayer layer{FormLayer::Forms::any, none, {}, {}};
      for (std::size_t lane = 0; lane < kBlock; ++lane) {
        const auto terms = model.at_bit[block.bits[lane]];
        const bool here = lane < block.count && k < terms.size();
        layer.index[lane] = here ? terms[k].index : none;
        layer.coefficient[lane] = here ? terms[k].coefficient : 0;
      }
      layer.first = layer.index[0];
      bool one = true, ascending = true;
      for (std::uint32_t lane = 0; lane < kBlock; ++lane) {
        const bool counts = layer.coefficient[lane] != 0;  // else any form will do
        one = one && (!counts || layer.index[lane] == layer.first);
        ascending = ascending && (!counts || layer.index[lane] == layer.first + lane);
      }
      if (ascending) layer.forms = FormLayer::Forms::ascending;
      if (one) layer.forms = FormLayer::Forms::one;
      layers.push_back(layer);
    }
    blocks.push_back(block);
  }
}

}  // namespace chainmail
