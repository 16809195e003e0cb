#include "neardup/cluster/crew.h"

namespace neardup::cluster {

Crew::Crew(int num_threads, const Context& context, std::string_view stage, std::string_view item_name,
           uint64_t total_items)
    : num_threads_(resolve_num_threads(num_threads)), context_(context) {
  if (context_.progress != nullptr) context_.progress->begin_stage(stage, item_name, 0, total_items);
}

Crew::~Crew() {
  if (context_.progress != nullptr) context_.progress->end_stage();
}

void Crew::report() {
  reported_ = done_.load(std::memory_order_relaxed);
  if (context_.progress != nullptr) context_.progress->advance(0, reported_);
}

}  // namespace neardup::cluster
