#include "neardup/engine/read/count_pass.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/threads.h"
#include "neardup/engine/read/document_pipeline.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/feature/idf_merge.h"
#include "neardup/recipe/recipe_tokens.h"

namespace neardup::engine {
namespace {

/// The files that counts go to when memory is full, in a folder beside the output that lives as long as this object.
class Spills {
 public:
  explicit Spills(std::string output) : output_(std::move(output)) {}

  /// Writes the counts of `builder` to a new file and empties it. Threads: any.
  Status spill(feature::IdfBuilder& builder, const std::string& tokens) {
    std::string path;
    {
      const std::lock_guard lock(mutex_);
      if (!folder_) {
        NEARDUP_ASSIGN(folder_, TemporaryFolder::create(output_ + ".tmp"));
      }
      path = fmt::format("{}/{}.idf", folder_->path(), paths_.size());
      paths_.push_back(path);
    }
    NEARDUP_TRY(builder.save(path, {.tokens = tokens}));
    builder = feature::IdfBuilder();
    return {};
  }
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  const std::string output_;
  std::optional<TemporaryFolder> folder_;
  std::mutex mutex_;
  std::vector<std::string> paths_;
};

struct CountSlot {
  corpus::Batch batch;
};

class Counter {
 public:
  Counter(const CountInput& input, corpus::Reader reader, const CountDocument& count,
          const feature::IdfOptions& options, const std::string& output)
      : input_(input),
        reader_(std::move(reader)),
        count_(count),
        options_(options),
        builders_(static_cast<size_t>(resolve_num_threads(input.num_threads))),
        spills_(output) {}

  Result<CountTotals> run(std::string_view stage, const std::string& output) {
    NEARDUP_ASSIGN(auto pipeline, DocumentPipeline<CountSlot>::create(
                                      counting_recipe(input_.recipe), nullptr, input_.read.record_memory,
                                      static_cast<int>(builders_.size()), builders_.size() * 2 + 1));
    reader_.set_shard(input_.shard_index, input_.shard_count);
    Progress* const progress = input_.context.progress;
    if (progress != nullptr) progress->begin_stage(stage, "documents", reader_.total_bytes(), 0);
    NEARDUP_TRY(read_all(pipeline));
    if (progress != nullptr) progress->end_stage();
    totals_.documents = num_documents_;
    totals_.num_spills = spills_.paths().size();
    NEARDUP_TRY(write(output));
    return totals_;
  }

 private:
  Status read_all(DocumentPipeline<CountSlot>& pipeline) {
    return pipeline.run(input_.context,
                        {.next = [this](CountSlot& slot) { return reader_.next(slot.batch); },
                         .load = [this](CountSlot& slot) { return load(slot.batch); },
                         .use = [this](CountSlot&, size_t thread, const corpus::Document& document, auto& fingerprinter,
                                       auto&) { count_(fingerprinter, document.text, builders_[thread]); },
                         .finish = [this](CountSlot&, size_t thread) { return spill_in_time(builders_[thread]); },
                         .commit = [this](CountSlot& slot) { return commit(slot.batch); }});
  }

  Status load(corpus::Batch& batch) {
    NEARDUP_TRY(reader_.load(batch));
    num_documents_ += batch.documents.size();
    return {};
  }

  Status spill_in_time(feature::IdfBuilder& builder) {
    // Half of the memory is for the tables: in the end those of other threads are added to that of the first.
    if (builder.memory_bytes() < input_.memory_bytes / 2 / builders_.size()) return {};
    return spills_.spill(builder, options_.tokens);
  }

  Status commit(corpus::Batch& batch) {
    if (batch.begins_input) lines_before_ = 0;
    line_is_known_ |= batch.begins_input || input_.shard_index == 0;
    for (const corpus::Rejection& rejection : batch.rejections) reject(rejection);
    lines_before_ += batch.num_lines;
    done_bytes_ += batch.bytes;
    if (input_.context.progress != nullptr) input_.context.progress->advance(done_bytes_, num_documents_);
    return {};
  }

  void reject(const corpus::Rejection& rejection) {
    ++totals_.rejected;
    const corpus::Input& input = reader_.inputs()[rejection.input];
    const bool has_line = line_is_known_ && input.format != corpus::Format::kText;
    if (input_.on_rejected)
      input_.on_rejected(input.path, has_line ? lines_before_ + rejection.line + 1 : 0, rejection.message);
  }

  Status write(const std::string& output) {
    if (spills_.paths().empty()) {
      for (; builders_.size() > 1; builders_.pop_back()) builders_[0].merge(builders_.back());
      return builders_[0].save(output, options_);
    }
    for (feature::IdfBuilder& builder : builders_) NEARDUP_TRY(spills_.spill(builder, options_.tokens));
    return feature::merge_idf_files(spills_.paths(), output, {options_.min_documents, input_.context});
  }

  const CountInput& input_;
  corpus::Reader reader_;
  const CountDocument& count_;
  const feature::IdfOptions options_;
  std::vector<feature::IdfBuilder> builders_;  // one per thread
  Spills spills_;
  std::atomic<uint64_t> num_documents_ = 0;
  uint64_t done_bytes_ = 0;
  uint64_t lines_before_ = 0;   // in the current input
  bool line_is_known_ = false;  // a shard may begin inside an input
  CountTotals totals_;
};

}  // namespace

Result<CountTotals> count_documents(const CountInput& input, std::string_view stage, const CountDocument& count,
                                    const feature::IdfOptions& options, const std::string& output) {
  corpus::ReadOptions read = input.read;
  read.context = input.context;
  NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(input.inputs, read));
  Counter counter(input, std::move(reader), count, options, output);
  return counter.run(stage, output);
}

Result<CountTotals> train_idf(const CountInput& input, uint32_t min_documents, const std::string& output) {
  const CountDocument count = [](recipe::Fingerprinter& fingerprinter, std::string_view text,
                                 feature::IdfBuilder& builder) { fingerprinter.count_tokens(text, builder); };
  return count_documents(input, "count", count,
                         {.min_documents = min_documents, .tokens = recipe::tokens_json(input.recipe)}, output);
}

}  // namespace neardup::engine
