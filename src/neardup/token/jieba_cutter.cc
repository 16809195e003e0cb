#include "neardup/token/jieba_cutter.h"

#include <algorithm>

#include "neardup/token/jieba_blocks.h"

namespace neardup::token {

void JiebaCutter::reserve(uint32_t size) {
  if (route_.size() >= size_t{size} + kNumSentinels + 1) return;
  const size_t room = std::max<size_t>(size_t{size} + kNumSentinels + 1, 2 * route_.size());
  route_.resize(room);
  next_.resize(room);
  word_ends_.resize(room);
  back_.resize(room);
}

// Entries are looked up for many characters at once, without a branch, for words of up to three characters: nothing in
// a walk depends on the walk before. Most entries miss the near caches, so all of a step are fetched ahead in a loop of
// nothing else, which keeps as many loads under way as the machine can. A step that finds nothing gives an entry of no
// value and without children, from where each step finds nothing again.
void JiebaCutter::look_up(const uint16_t* codes, uint32_t size) {
  const TrieEntry* const entries = view_.entries.data();
  uint32_t* const places = walks_.places.data();
  const auto prefetch = [&] {
    for (uint32_t i = 0; i < size; ++i) __builtin_prefetch(entries + places[i]);
  };
  for (uint32_t i = 0; i < size; ++i) {
    walks_.one[i] = entries[kRootBase + codes[i]].if_labelled(codes[i]);
    places[i] = walks_.one[i].base() + codes[i + 1];
  }
  prefetch();
  for (uint32_t i = 0; i < size; ++i) {
    walks_.two[i] = entries[places[i]].if_labelled(codes[i + 1]);
    places[i] = walks_.two[i].base() + codes[i + 2];
  }
  prefetch();
  for (uint32_t i = 0; i < size; ++i) {
    walks_.three[i] = entries[places[i]].if_labelled(codes[i + 2]);
    places[i] = walks_.three[i].base() + codes[i + 3];
  }
  prefetch();
}

// From the last character to the first. A route adds up in the order in which jieba adds, (ln f - ln total) + rest, so
// that ties stay ties; of equal ones the longer word wins.
void JiebaCutter::find_route(const Block& block) {
  end_route(block.size);
  for (uint32_t stop = block.size; stop > 0;) {
    const uint32_t start = (stop - 1) / Walks::kSize * Walks::kSize;
    look_up(block.codes + start, stop - start);
    find_routes_from(block, start, stop, 0);
    stop = start;
  }
}

void JiebaCutter::end_route(uint32_t size) { route_[size] = route_[size + 1] = route_[size + 2] = 0; }

/// `walk` is where the walks from `start` are.
void JiebaCutter::find_routes_from(const Block& block, uint32_t start, uint32_t stop, uint32_t walk) {
  const double* const weights = view_.weights.data();
  double* const route = route_.data();
  for (uint32_t at = stop; at-- > start;) {
    const uint32_t i = at - start + walk;
    const TrieEntry last = walks_.three[i];
    const double one = weights[walks_.one[i].value()] + route[at + 1];
    const double two = weights[walks_.two[i].value()] + route[at + 2];
    const double three = weights[last.value()] + route[at + 3];
    uint32_t end = two >= one ? at + 2 : at + 1;
    double best = two >= one ? two : one;
    end = three >= best ? at + 3 : end;
    best = three >= best ? three : best;
    if (last.base() != kLeafBase) take_longer(block, at, last, best, end);
    const bool found = best > -kInfinity;
    route[at] = found ? best : view_.unknown_weight + route[at + 1];
    next_[at] = found ? end : at + 1;
  }
}

/// Words of four characters and more, which are rare.
void JiebaCutter::take_longer(const Block& block, uint32_t at, TrieEntry entry, double& best,
                              uint32_t& best_end) const {
  for (uint32_t end = at + 3;;) {
    entry = view_.entries[entry.base() + block.codes[end]];
    if (entry.label() != block.codes[end]) return;
    const double weight = view_.weights[entry.value()] + route_[++end];
    if (weight < best) continue;
    best = weight;
    best_end = end;
  }
}

uint32_t JiebaCutter::value_of(const Block& block, uint32_t begin, uint32_t end) const {
  TrieEntry entry(kRootBase, 0, 0);
  for (uint32_t at = begin; at < end; ++at) {
    entry = view_.entries[entry.base() + block.codes[at]];
    if (entry.label() != block.codes[at]) return 0;
  }
  return entry.value();
}

std::span<const uint32_t> JiebaCutter::cut(const Block& block, bool hmm) {
  reserve(block.size);
  find_route(block);
  return take_words(block, hmm);
}

std::span<const uint32_t> JiebaCutter::cut_ahead(const Block& block, uint32_t offset, bool hmm) {
  reserve(block.size);
  end_route(block.size);
  find_routes_from(block, 0, block.size, offset);
  return take_words(block, hmm);
}

std::span<const uint32_t> JiebaCutter::take_words(const Block& block, bool hmm) {
  num_words_ = 0;
  const auto flush = [&](uint32_t begin, uint32_t end) {
    return hmm ? take_singles(block, begin, end) : take_singles_without_hmm(block, begin, end);
  };
  uint32_t singles = 0;  // where a run of single characters begins
  for (uint32_t at = 0; at < block.size;) {
    const uint32_t end = next_[at];
    if (end != at + 1) {
      if (singles != at) flush(singles, at);
      end_word(end);
      singles = end;
    }
    at = end;
  }
  if (singles != block.size) flush(singles, block.size);
  return {word_ends_.data(), num_words_};
}

void JiebaCutter::take_singles(const Block& block, uint32_t begin, uint32_t end) {
  if (end - begin == 1) return end_word(end);
  // What the dictionary knows as a word, and the route took apart, stays apart.
  if (is_word(block, begin, end)) {
    for (uint32_t at = begin; at < end; ++at) end_word(at + 1);
    return;
  }
  if (block.characters == nullptr) return take_han(block, begin, end);
  for (uint32_t at = begin; at < end;) {
    const bool han = is_jieba_han(block.characters[at]);
    uint32_t stop = at + 1;
    while (stop < end && is_jieba_han(block.characters[stop]) == han) ++stop;
    han ? take_han(block, at, stop) : take_ascii(block, at, stop);
    at = stop;
  }
}

void JiebaCutter::take_singles_without_hmm(const Block& block, uint32_t begin, uint32_t end) {
  for (uint32_t at = begin; at < end; ++at) {
    const bool joins = block.characters != nullptr && at + 1 < end && is_ascii_alnum(block.characters[at]) &&
                       is_ascii_alnum(block.characters[at + 1]);
    if (!joins) end_word(at + 1);
  }
}

// finalseg's re_skip: what [a-zA-Z0-9]+(?:\.\d+)?%? finds, and what is between.
void JiebaCutter::take_ascii(const Block& block, uint32_t begin, uint32_t end) {
  const auto is_alnum = [&](uint32_t at) { return at < end && is_ascii_alnum(block.characters[at]); };
  const auto is_digit = [&](uint32_t at) { return at < end && static_cast<unsigned>(block.characters[at] - '0') < 10; };
  uint32_t at = begin;
  while (at < end) {
    if (is_alnum(at)) {
      while (is_alnum(at)) ++at;
      if (at < end && block.characters[at] == '.' && is_digit(at + 1)) {
        ++at;
        while (is_digit(at)) ++at;
      }
      if (at < end && block.characters[at] == '%') ++at;
    } else {
      while (at < end && !is_alnum(at)) ++at;
    }
    end_word(at);
  }
}

// Viterbi over the states B, M, E, S. Sums are made in jieba's order, (before + transition) + emission, and of equal
// ones the state whose letter is greater wins (S, M, E, B): a character without an emission makes many sums equal.
void JiebaCutter::decode_states(const Block& block, uint32_t begin, uint32_t end) {
  constexpr auto kB = static_cast<size_t>(HmmState::kBegin), kM = static_cast<size_t>(HmmState::kMiddle),
                 kE = static_cast<size_t>(HmmState::kEnd), kS = static_cast<size_t>(HmmState::kSingle);
  const auto& transition = view_.transition;
  Emission sum;
  const Emission& first = view_.emission[block.codes[begin]];
  for (size_t state = 0; state < kNumStates; ++state) sum[state] = view_.start[state] + first[state];
  for (uint32_t at = begin + 1; at < end; ++at) {
    const Emission& emission = view_.emission[block.codes[at]];
    const double b_from_e = sum[kE] + transition[kE][kB] + emission[kB];
    const double b_from_s = sum[kS] + transition[kS][kB] + emission[kB];
    const double m_from_b = sum[kB] + transition[kB][kM] + emission[kM];
    const double m_from_m = sum[kM] + transition[kM][kM] + emission[kM];
    const double e_from_b = sum[kB] + transition[kB][kE] + emission[kE];
    const double e_from_m = sum[kM] + transition[kM][kE] + emission[kE];
    const double s_from_e = sum[kE] + transition[kE][kS] + emission[kS];
    const double s_from_s = sum[kS] + transition[kS][kS] + emission[kS];
    // A bit is set where the state before was S (for B and S) or M (for M and E).
    back_[at] = static_cast<uint8_t>((b_from_s >= b_from_e) << kB | (m_from_m >= m_from_b) << kM |
                                     (e_from_m >= e_from_b) << kE | (s_from_s >= s_from_e) << kS);
    sum[kB] = std::max(b_from_e, b_from_s);
    sum[kM] = std::max(m_from_b, m_from_m);
    sum[kE] = std::max(e_from_b, e_from_m);
    sum[kS] = std::max(s_from_e, s_from_s);
  }
  size_t state = sum[kS] >= sum[kE] ? kS : kE;
  for (uint32_t at = end; at-- > begin;) {
    const bool bit = at > begin && (back_[at] >> state & 1) != 0;
    back_[at] = state == kE || state == kS ? 1 : 0;
    state = state == kB || state == kS ? (bit ? kS : kE) : (bit ? kM : kB);
  }
}

void JiebaCutter::take_han(const Block& block, uint32_t begin, uint32_t end) {
  decode_states(block, begin, end);
  uint32_t word = begin;
  for (uint32_t at = begin; at < end; ++at) {
    if (back_[at] == 0) continue;
    const bool forced =
        view_.first_forced < view_.weights.size() && value_of(block, word, at + 1) >= view_.first_forced;
    while (forced && word < at) end_word(++word);
    end_word(at + 1);
    word = at + 1;
  }
}

}  // namespace neardup::token
