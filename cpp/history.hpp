// An append-only list that is cheap to copy: full chunks are shared between copies, only the newest
// few items are copied. States remember earlier positions with it without allocating on every move.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace tengen {

template <class T, int ChunkSize = 32>
class History {
 public:
  std::size_t size() const { return (older_ ? older_->total : 0) + static_cast<std::size_t>(recent_count_); }

  void push(const T& item) {
    if (recent_count_ == ChunkSize) {
      older_ = std::make_shared<const Chunk>(Chunk{older_, size(), recent_});
      recent_count_ = 0;
    }
    recent_[recent_count_++] = item;
  }

  void clear() {
    older_.reset();
    recent_count_ = 0;
  }

  int count(const T& item) const {
    int found = 0;
    for (int i = 0; i < recent_count_; ++i) found += recent_[i] == item;
    for (const Chunk* c = older_.get(); c != nullptr; c = c->older.get())
      for (const T& other : c->items) found += other == item;
    return found;
  }

  // The newest `count` items, oldest of them first; there must be so many.
  std::vector<T> newest(std::size_t count) const {
    std::vector<T> found(count);
    std::size_t left = count;
    for (int i = recent_count_; i > 0 && left > 0;) found[--left] = recent_[static_cast<std::size_t>(--i)];
    for (const Chunk* c = older_.get(); c != nullptr && left > 0; c = c->older.get())
      for (int i = ChunkSize; i > 0 && left > 0;) found[--left] = c->items[static_cast<std::size_t>(--i)];
    return found;
  }

  // All items, oldest first.
  std::vector<T> items() const {
    std::vector<T> all(size());
    std::size_t end = all.size() - static_cast<std::size_t>(recent_count_);
    for (int i = 0; i < recent_count_; ++i) all[end + static_cast<std::size_t>(i)] = recent_[i];
    for (const Chunk* c = older_.get(); c != nullptr; c = c->older.get()) {
      end -= ChunkSize;
      for (int i = 0; i < ChunkSize; ++i) all[end + static_cast<std::size_t>(i)] = c->items[i];
    }
    return all;
  }

 private:
  struct Chunk {
    std::shared_ptr<const Chunk> older;
    std::size_t total;  // items in this chunk and all older ones
    std::array<T, ChunkSize> items;
  };

  std::shared_ptr<const Chunk> older_;
  std::array<T, ChunkSize> recent_{};  // only the first recent_count_ are set
  int recent_count_ = 0;
};

}  // namespace tengen
