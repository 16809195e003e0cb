// Ids are needed by number and by name. They stand in pieces, files that never change, each by number and by hash; the
// newest in memory, found by open addressing. A write makes one piece of the new ones and of those before that are no
// more than twice as large: so pieces are few, and an id is rewritten a logarithmic number of times
// (docs/design/updates.md). An erased number is a note that is kept until the piece that holds it is written again.
#include "neardup/store/id_table.h"

#include <algorithm>
#include <mutex>

#include "neardup/base/checked_bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"

namespace neardup::store {

namespace {

constexpr uint64_t kMaxMergedBytes = uint64_t{1} << 30;

DocumentSet erased_by(const std::vector<IdPiece>& pieces) {
  std::vector<uint64_t> erased;
  for (const IdPiece& piece : pieces) {
    const auto of_piece = piece.erased();
    erased.insert(erased.end(), of_piece.begin(), of_piece.end());
  }
  return DocumentSet(std::move(erased));
}

}  // namespace

IdTable::IdTable(std::vector<IdPieceFile> files, std::vector<IdPiece> pieces)
    : files_(std::move(files)), pieces_(std::move(pieces)), erased_(erased_by(pieces_)) {
  for (const IdPiece& piece : pieces_) {
    num_live_ += piece.num_live();
    first_new_ = piece.first_document() + piece.num_documents();
  }
  num_live_ -= std::min<uint64_t>(num_live_, erased_.size());
}

void IdTable::grow_slots() {
  slots_.assign(std::max<size_t>(1024, 2 * slots_.size()), 0);
  for (uint32_t i = 0; i < new_hashes_.size(); ++i) slots_[free_slot(new_hashes_[i])] = i + 1;
}

size_t IdTable::free_slot(uint64_t hash) const {
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
  return at;
}

void IdTable::make_room_for_one(std::string_view id) {
  if (2 * (new_hashes_.size() + 1) > slots_.size()) grow_slots();
  new_ids_.reserve(new_ids_.size() + id.size());  // of a string it grows by halves, too
  for (std::vector<uint64_t>* list : {&new_ends_, &new_hashes_})
    if (list->size() == list->capacity()) list->reserve(std::max<size_t>(64, 2 * list->size()));
}

uint64_t IdTable::add(std::string_view id, std::optional<uint64_t> before) {
  const std::unique_lock lock(mutex_);
  make_room_for_one(id);
  if (before && newly_.insert(*before).second) --num_live_;  // the last thing that may fail
  const uint64_t hash = hash64(id);
  new_ids_ += id;
  new_ends_.push_back(new_ids_.size());
  new_hashes_.push_back(hash);
  slots_[free_slot(hash)] = static_cast<uint32_t>(new_hashes_.size());
  ++num_live_;
  return first_new_ + new_hashes_.size() - 1;
}

void IdTable::erase(uint64_t document) {
  const std::unique_lock lock(mutex_);
  if (newly_.insert(document).second) --num_live_;
}

// No chain goes on behind the newest entry.
void IdTable::take_back_add(std::optional<uint64_t> before) noexcept {
  const std::unique_lock lock(mutex_);
  const auto entry = static_cast<uint32_t>(new_hashes_.size());
  size_t at = new_hashes_.back() & (slots_.size() - 1);
  while (slots_[at] != entry) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = 0;
  new_hashes_.pop_back();
  new_ends_.pop_back();
  new_ids_.resize(new_ends_.empty() ? 0 : new_ends_.back());
  --num_live_;
  if (before) num_live_ += newly_.erase(*before);
}

void IdTable::take_back_erase(uint64_t document) noexcept {
  const std::unique_lock lock(mutex_);
  num_live_ += newly_.erase(document);
}

std::string_view IdTable::view_of(uint64_t document) const {
  if (document >= first_new_) {
    const uint64_t i = document - first_new_;
    if (i >= new_ends_.size()) return {};
    const uint64_t begin = i == 0 ? 0 : new_ends_[i - 1];
    return std::string_view(new_ids_).substr(begin, new_ends_[i] - begin);
  }
  auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), document,
                                [](uint64_t d, const IdPiece& p) { return d < p.first_document(); });
  // Pieces of no documents hold erasures only.
  while (piece != pieces_.begin() && document - std::prev(piece)->first_document() >= std::prev(piece)->num_documents())
    --piece;
  return piece == pieces_.begin() ? std::string_view() : std::prev(piece)->id(document);
}

std::string IdTable::id(uint64_t document) const {
  const std::shared_lock lock(mutex_);
  return std::string(view_of(document));
}

std::optional<uint64_t> IdTable::find_new(std::string_view id, uint64_t hash) const {
  if (slots_.empty()) return std::nullopt;
  for (size_t at = hash & (slots_.size() - 1); slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    const uint64_t document = first_new_ + slots_[at] - 1;
    if (new_hashes_[slots_[at] - 1] == hash && view_of(document) == id && !newly_.contains(document)) return document;
  }
  return std::nullopt;
}

std::optional<uint64_t> IdTable::find(std::string_view id) const {
  const std::shared_lock lock(mutex_);
  const uint64_t hash = hash64(id);
  if (const auto document = find_new(id, hash)) return document;
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
    const auto document = piece->find(id, hash, erased_);
    if (document && !newly_.contains(*document)) return document;
  }
  return std::nullopt;
}

uint64_t IdTable::times_forgotten() const {
  const std::shared_lock lock(mutex_);
  return times_forgotten_;
}

uint64_t IdTable::next_document() const {
  const std::shared_lock lock(mutex_);
  return first_new_ + new_ends_.size();
}

uint64_t IdTable::num_live() const {
  const std::shared_lock lock(mutex_);
  return num_live_;
}

uint64_t IdTable::file_bytes() const {
  const std::shared_lock lock(mutex_);
  uint64_t sum = 0;
  for (const IdPiece& piece : pieces_) sum += piece.file_bytes();
  return sum;
}

bool IdTable::changed() const {
  const std::shared_lock lock(mutex_);
  return !new_ends_.empty() || !newly_.empty();
}

std::vector<bool> IdTable::live() const {
  const std::shared_lock lock(mutex_);
  std::vector<bool> live(first_new_ + new_ends_.size(), false);
  for (const IdPiece& piece : pieces_)
    piece.for_live([&](uint64_t document) { live[document] = !is_erased(document); });
  for (uint64_t document = first_new_; document < live.size(); ++document) live[document] = !is_erased(document);
  return live;
}

// No further pieces once kMaxMergedBytes are gathered: a merge holds them in memory.
size_t IdTable::first_to_merge() const {
  uint64_t bytes = new_ids_.size() + 20 * new_ends_.size() + 8 * newly_.size();
  size_t first = pieces_.size();
  while (first > 0 && pieces_[first - 1].file_bytes() <= 2 * bytes && bytes <= kMaxMergedBytes)
    bytes += pieces_[--first].file_bytes();
  return first;
}

// The documents of the pieces from `first_piece` on and the new ones; erasures of those take effect, others are kept.
IdPieceContent IdTable::gather(size_t first_piece) const {
  IdPieceContent content;
  content.first_document = first_piece < pieces_.size() ? pieces_[first_piece].first_document() : first_new_;
  const uint64_t count = first_new_ + new_ends_.size() - content.first_document;
  content.live.assign(count, false);
  for (size_t i = first_piece; i < pieces_.size(); ++i)
    pieces_[i].for_live([&](uint64_t document) { content.live[document - content.first_document] = true; });
  for (uint64_t i = 0; i < new_ends_.size(); ++i) content.live[first_new_ - content.first_document + i] = true;
  std::vector<uint64_t> erased(newly_.begin(), newly_.end());
  for (size_t i = first_piece; i < pieces_.size(); ++i) {
    const auto of_piece = pieces_[i].erased();
    erased.insert(erased.end(), of_piece.begin(), of_piece.end());
  }
  std::sort(erased.begin(), erased.end());
  for (const uint64_t document : erased) {
    if (document < content.first_document) content.erased.push_back(document);
  }
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t document = content.first_document + i;
    content.live[i] = content.live[i] && !is_erased(document);
    if (content.live[i]) content.ids += view_of(document);
    content.ends.push_back(content.ids.size());
  }
  return content;
}

// Only the writer changes anything, and it is here: readers go on until what was written takes the place of the old.
Result<std::vector<IdPieceFile>> IdTable::write(uint64_t& next_file, const PathOf& path_of) {
  IdPieceContent content;
  std::vector<IdPieceFile> files = files_;
  std::vector<IdPiece> pieces = pieces_;
  {
    const std::shared_lock lock(mutex_);
    if (new_ends_.empty() && newly_.empty()) return files;
    const size_t first = first_to_merge();
    content = gather(first);
    files.resize(first);
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(first), pieces.end());
  }
  const uint64_t number = next_file++;
  NEARDUP_TRY(write_file_atomically(path_of(number), to_bytes(content)));
  NEARDUP_ASSIGN(IdPiece piece, IdPiece::open(path_of(number), false));
  files.push_back({number, piece.first_document(), piece.num_documents(), piece.file_bytes(), piece.checksum()});
  pieces.push_back(std::move(piece));
  exchange(std::move(pieces), files);
  return files;
}

// The old pieces are let go after the lock.
void IdTable::exchange(std::vector<IdPiece> pieces, std::vector<IdPieceFile> files) {
  DocumentSet erased = erased_by(pieces);
  const std::unique_lock lock(mutex_);
  ++times_forgotten_;
  first_new_ = pieces.back().first_document() + pieces.back().num_documents();
  pieces_.swap(pieces);
  files_.swap(files);
  std::swap(erased_, erased);
  newly_.clear();
  new_ids_.clear();
  new_ends_.clear();
  new_hashes_.clear();
  slots_.clear();
}

}  // namespace neardup::store
