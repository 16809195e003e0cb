// TextMaker: texts -> what is looked at of them, by as many threads as come.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/online/matcher.h"
#include "neardup/recipe/fingerprinter.h"

namespace neardup::engine {

/// A text's fingerprints and what else is looked at.
struct MadeText {
  recipe::TextFingerprint text_fingerprint;
  std::vector<uint16_t> short_signature;  // empty: it is no short text
  /// Makes of a text_fingerprint that is new all that `decision` looks at.
  void settle(const Decision& decision);
  /// Returns views of it.
  [[nodiscard]] PairSide side() const;
};

/// Fingerprinters that are lent and come back. Threads: any number.
class TextMaker {
  struct Worker {
    recipe::Fingerprinter fingerprinter;
    MadeText made;
  };

 public:
  /// A fingerprinter for one thread. It goes back when this is destroyed, but for one that a long text has grown.
  class Loan {
   public:
    Loan(Loan&&) noexcept = default;
    Loan& operator=(Loan&&) = delete;
    ~Loan();
    /// Returns what `text` (any bytes) becomes; valid until the next call.
    const MadeText& make(std::string_view text);

   private:
    friend class TextMaker;
    Loan(TextMaker& maker, std::unique_ptr<Worker> worker) : maker_(&maker), worker_(std::move(worker)) {}
    TextMaker* maker_;
    std::unique_ptr<Worker> worker_;
    size_t longest_bytes_ = 0;
    bool is_whole_ = true;  // no text was left half made
  };

  /// `matcher` must outlive it.
  explicit TextMaker(const Matcher& matcher) : matcher_(matcher) {}
  /// Errors: those of Fingerprinter::create().
  [[nodiscard]] Result<Loan> lend();

 private:
  const Matcher& matcher_;
  std::mutex mutex_;  // of idle_
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace neardup::engine
