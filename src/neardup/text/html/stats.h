// Figures of the parts of a page: how much text, how much of it in links, how many sentences.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/text/html/tree.h"

namespace neardup::text {

/// Figures of one node and all below it that is not dropped. Sizes are bytes of UTF-8 with each run of white space
/// counted as one: a Chinese character says about as much as three letters.
struct HtmlStats {
  uint32_t size = 0;
  uint32_t link_size = 0;     // of it in links
  uint32_t list_size = 0;     // of it in lists
  uint32_t heading_size = 0;  // of it in headings
  uint32_t commas = 0;        // of any script
  uint32_t paragraphs = 0;
  uint32_t items = 0;  // of lists
  uint32_t images = 0;
  uint32_t embeds = 0;
  uint32_t inputs = 0;

  [[nodiscard]] uint32_t unlinked() const { return size - std::min(size, link_size); }
  [[nodiscard]] float link_density() const {
    return size == 0 ? 0 : static_cast<float>(link_size) / static_cast<float>(size);
  }
};

/// What one text, or the texts that stand directly in a block, come to.
struct TextSize {
  uint32_t size = 0;
  uint32_t commas = 0;
};

/// Cost: one pass over the text.
[[nodiscard]] TextSize measure_text(std::string_view text);

/// Figures of all nodes, and of the text that stands in each block but in no block below it.
struct HtmlFigures {
  std::vector<HtmlStats> all;
  std::vector<TextSize> own;        // of blocks
  std::vector<uint32_t> own_links;  // bytes of `own` in links
  std::vector<uint32_t> breaks;     // line breaks that stand in each block directly
  std::vector<uint8_t> has_block;   // whether a block lies below the block
};

/// Whether the text that stands in a block directly is long enough, and little enough of it in links, to be sentences.
[[nodiscard]] inline bool is_prose(const HtmlFigures& figures, uint32_t block) {
  constexpr uint32_t kLeastProse = 80;
  return figures.own[block].size >= kLeastProse && 4 * figures.own_links[block] < figures.own[block].size;
}

/// Measures each text of the tree once. Requires: `figures` are then brought up to date by sum_up().
void measure_texts(const HtmlTree& tree, std::vector<TextSize>& sizes);

/// Fills `figures` from the `sizes` of the texts, without what is marked in `dropped` and what lies below it.
void sum_up(const HtmlTree& tree, const std::vector<TextSize>& sizes, const std::vector<uint8_t>& dropped,
            HtmlFigures& figures);

}  // namespace neardup::text
