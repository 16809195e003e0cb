#include "neardup/engine/online/text_maker.h"

#include <algorithm>

#include "neardup/base/guard.h"
#include "neardup/engine/match/short_texts.h"

namespace neardup::engine {
namespace {

constexpr size_t kKeptBytes = size_t{1} << 20;  // what longer texts took is given back
constexpr uint64_t kTreeBytesOfUsual = 16;      // of a byte of a page: more than usual pages take

}  // namespace

void MadeText::settle(const Decision& decision) {
  if (decision.route(true) != PairRoute::kCharacters) text_fingerprint.short_text.clear();
  short_signature.clear();
  if (!text_fingerprint.short_text.empty()) short_signature = short_text_signature(text_fingerprint.short_text);
}

PairSide MadeText::side() const {
  PairSide side = side_of(text_fingerprint);
  side.short_signature = short_signature;
  return side;
}

Result<TextMaker::Loan> TextMaker::lend() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto worker = std::move(idle_.back());
      idle_.pop_back();
      return Loan(*this, std::move(worker));
    }
  }
  NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(matcher_.recipe, matcher_.idf));
  return Loan(*this, std::make_unique<Worker>(Worker{std::move(fingerprinter), {}}));
}

TextMaker::Loan::~Loan() {
  if (worker_ == nullptr || longest_bytes_ > kKeptBytes || !is_whole_) return;
  static_cast<void>(guarded([&]() -> Status {  // else it is made again
    const std::lock_guard lock(maker_->mutex_);
    maker_->idle_.push_back(std::move(worker_));
    return {};
  }));
}

const MadeText& TextMaker::Loan::make(std::string_view text) {
  const uint64_t tree_bytes = recipe::page_tree_bytes(maker_->matcher_.recipe, text);
  longest_bytes_ = std::max<size_t>({longest_bytes_, text.size(), tree_bytes / kTreeBytesOfUsual});
  MadeText& made = worker_->made;
  is_whole_ = false;
  worker_->fingerprinter.fingerprint(text, made.text_fingerprint);
  made.settle(maker_->matcher_.decision);
  is_whole_ = true;
  return made;
}

}  // namespace neardup::engine
