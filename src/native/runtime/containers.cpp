// What libstdc++ keeps out of line of std::map, std::set and std::list: red-black trees without their keys, and links
// of lists; and a little of hash tables. The templates around it are compiled into the program and instrumented; these
// are not, and without them a race on a map that is being rebalanced would not be seen, nor its nodes be what the trace
// says they are. So the program gets the functions below in their place, whose accesses are announced one by one, like
// instrumented code's.
//
// The tree is the textbook's (Cormen, Leiserson, Rivest, Stein, chapter 13), with null for leaves. A header node stands
// above the root: its parent is the root, its left and right are the first and the last node, and it is red, which
// tells it from the root. Layouts are libstdc++'s ABI.
#include "native/runtime/library_call.h"

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

namespace {

// A member that every access is announced for. `Caller` is where the program called; that one call accesses several is
// no loop that comes round (spinning.h).
struct Caller {
  const void* pc;
  ~Caller() { rt.self().spin.piece = 0; }
  template <class T>
  T get(T& place) const {
    announce(place, false);
    return *const_cast<volatile T*>(&place);
  }
  template <class T>
  void set(T& place, T value) const {
    announce(place, true);
    *const_cast<volatile T*>(&place) = value;
  }

 private:
  template <class T>
  void announce(T& place, bool write) const {
    ++rt.self().spin.piece;
    plain_access(reinterpret_cast<std::uintptr_t>(&place), sizeof place, write, pc);
  }
};

enum class Color : int { kRed, kBlack };

struct TreeNode {
  Color color;
  TreeNode* parent;
  TreeNode* left;
  TreeNode* right;
};

using Side = TreeNode* TreeNode::*;
Side other(Side side) { return side == &TreeNode::left ? &TreeNode::right : &TreeNode::left; }

class Tree {
 public:
  Tree(TreeNode& header, const void* pc) : header_(header), at_{pc} {}

  void insert(bool left, TreeNode* x, TreeNode* p);
  TreeNode* erase(TreeNode* z);

 private:
  bool red(TreeNode* n) const { return n != nullptr && at_.get(n->color) == Color::kRed; }
  TreeNode* root() const { return at_.get(header_.parent); }

  // Whoever points down to `from` points to `to` now.
  void replace_child(TreeNode* parent, TreeNode* from, TreeNode* to) {
    if (parent == &header_)
      at_.set(header_.parent, to);
    else if (at_.get(parent->left) == from)
      at_.set(parent->left, to);
    else
      at_.set(parent->right, to);
  }

  // x goes down to `side`, its child on the other side takes its place.
  void rotate(TreeNode* x, Side side) {
    TreeNode* const y = at_.get(x->*other(side));
    TreeNode* const inner = at_.get(y->*side);
    at_.set(x->*other(side), inner);
    if (inner) at_.set(inner->parent, x);
    TreeNode* const above = at_.get(x->parent);
    at_.set(y->parent, above);
    replace_child(above, x, y);
    at_.set(y->*side, x);
    at_.set(x->parent, y);
  }

  void restore_after_insert(TreeNode* x);
  void restore_after_erase(TreeNode* x, TreeNode* parent);
  TreeNode* outermost(TreeNode* n, Side side) const {
    while (TreeNode* next = at_.get(n->*side)) n = next;
    return n;
  }

  TreeNode& header_;
  const Caller at_;
};

void Tree::insert(bool left, TreeNode* x, TreeNode* p) {
  at_.set(x->parent, p);
  at_.set(x->left, static_cast<TreeNode*>(nullptr));
  at_.set(x->right, static_cast<TreeNode*>(nullptr));
  at_.set(x->color, Color::kRed);
  if (left) {
    at_.set(p->left, x);  // of the header: the first node
    if (p == &header_) {
      at_.set(header_.parent, x);
      at_.set(header_.right, x);
    } else if (p == at_.get(header_.left)) {
      at_.set(header_.left, x);
    }
  } else {
    at_.set(p->right, x);
    if (p == at_.get(header_.right)) at_.set(header_.right, x);
  }
  restore_after_insert(x);
}

// RB-INSERT-FIXUP.
void Tree::restore_after_insert(TreeNode* x) {
  while (x != root() && red(at_.get(x->parent))) {
    TreeNode* parent = at_.get(x->parent);
    TreeNode* const grandparent = at_.get(parent->parent);
    const Side side = parent == at_.get(grandparent->left) ? &TreeNode::left : &TreeNode::right;
    TreeNode* const uncle = at_.get(grandparent->*other(side));
    if (red(uncle)) {
      at_.set(parent->color, Color::kBlack);
      at_.set(uncle->color, Color::kBlack);
      at_.set(grandparent->color, Color::kRed);
      x = grandparent;
      continue;
    }
    if (x == at_.get(parent->*other(side))) {
      x = parent;
      rotate(x, side);
      parent = at_.get(x->parent);
    }
    at_.set(parent->color, Color::kBlack);
    at_.set(grandparent->color, Color::kRed);
    rotate(grandparent, other(side));
  }
  at_.set(root()->color, Color::kBlack);
}

// RB-DELETE: y leaves its place, which x takes; y is z, or z's successor, which takes z's.
TreeNode* Tree::erase(TreeNode* z) {
  TreeNode* const left = at_.get(z->left);
  TreeNode* const right = at_.get(z->right);
  TreeNode* x = nullptr;
  TreeNode* x_parent = nullptr;
  Color gone;
  if (left && right) {
    TreeNode* const y = outermost(right, &TreeNode::left);
    x = at_.get(y->right);
    gone = at_.get(y->color);
    at_.set(left->parent, y);
    at_.set(y->left, left);
    if (y == right) {
      x_parent = y;
    } else {
      x_parent = at_.get(y->parent);
      if (x) at_.set(x->parent, x_parent);
      at_.set(x_parent->left, x);
      at_.set(y->right, right);
      at_.set(right->parent, y);
    }
    TreeNode* const above = at_.get(z->parent);
    replace_child(above, z, y);
    at_.set(y->parent, above);
    const Color color = at_.get(z->color);
    at_.set(y->color, color);
    at_.set(z->color, gone);
  } else {
    x = left ? left : right;
    gone = at_.get(z->color);
    x_parent = at_.get(z->parent);
    if (x) at_.set(x->parent, x_parent);
    replace_child(x_parent, z, x);
    if (at_.get(header_.left) == z) at_.set(header_.left, x ? outermost(x, &TreeNode::left) : x_parent);
    if (at_.get(header_.right) == z) at_.set(header_.right, x ? outermost(x, &TreeNode::right) : x_parent);
  }
  if (gone == Color::kBlack) restore_after_erase(x, x_parent);
  return z;
}

// RB-DELETE-FIXUP.
void Tree::restore_after_erase(TreeNode* x, TreeNode* parent) {
  while (x != root() && !red(x)) {
    const Side side = x == at_.get(parent->left) ? &TreeNode::left : &TreeNode::right;
    TreeNode* sibling = at_.get(parent->*other(side));
    if (red(sibling)) {
      at_.set(sibling->color, Color::kBlack);
      at_.set(parent->color, Color::kRed);
      rotate(parent, side);
      sibling = at_.get(parent->*other(side));
    }
    TreeNode* near = at_.get(sibling->*side);
    TreeNode* far = at_.get(sibling->*other(side));
    if (!red(near) && !red(far)) {
      at_.set(sibling->color, Color::kRed);
      x = parent;
      parent = at_.get(x->parent);
      continue;
    }
    if (!red(far)) {
      at_.set(near->color, Color::kBlack);
      at_.set(sibling->color, Color::kRed);
      rotate(sibling, other(side));
      sibling = at_.get(parent->*other(side));
      far = at_.get(sibling->*other(side));
    }
    const Color color = at_.get(parent->color);
    at_.set(sibling->color, color);
    at_.set(parent->color, Color::kBlack);
    if (far) at_.set(far->color, Color::kBlack);
    rotate(parent, side);
    break;
  }
  if (x) at_.set(x->color, Color::kBlack);
}

// The next node towards `side`.
TreeNode* next(TreeNode* n, Side side, const void* pc) {
  const Caller at{pc};
  if (TreeNode* down = at.get(n->*side)) {
    while (TreeNode* further = at.get(down->*other(side))) down = further;
    return down;
  }
  TreeNode* up = at.get(n->parent);
  while (n == at.get(up->*side)) {
    n = up;
    up = at.get(up->parent);
  }
  // From the root of a tree without anything on that side we have come to the header and down again.
  return at.get(n->*side) != up ? up : n;
}

TreeNode* previous(TreeNode* n, const void* pc) {
  const Caller at{pc};
  // The end: the last node.
  if (at.get(n->color) == Color::kRed) {
    TreeNode* const parent = at.get(n->parent);
    if (at.get(parent->parent) == n) return at.get(n->right);
  }
  if (TreeNode* down = at.get(n->left)) {
    while (TreeNode* further = at.get(down->right)) down = further;
    return down;
  }
  TreeNode* up = at.get(n->parent);
  while (n == at.get(up->left)) {
    n = up;
    up = at.get(up->parent);
  }
  return up;
}

struct ListNode {
  ListNode* next;
  ListNode* previous;
};

void swap_lists(ListNode& x, ListNode& y, const Caller& at) {
  const auto close = [&](ListNode& list, bool empty) {
    at.set((empty ? &list : at.get(list.next))->previous, &list);
    at.set((empty ? &list : at.get(list.previous))->next, &list);
  };
  const bool x_empty = at.get(x.next) == &x, y_empty = at.get(y.next) == &y;
  ListNode* const next = at.get(x.next);
  ListNode* const previous = at.get(x.previous);
  at.set(x.next, at.get(y.next));
  at.set(x.previous, at.get(y.previous));
  at.set(y.next, next);
  at.set(y.previous, previous);
  close(x, y_empty);
  close(y, x_empty);
}

// Of std::unordered_map and its like.
struct RehashPolicy {
  float most_load;
  std::size_t next_resize;  // changed by const members
};
struct NeedRehash {  // std::pair<bool, size_t>
  bool needed;
  std::size_t buckets;
};

// A function that changes one member, if any, runs on a copy.
template <class F>
auto with_copy(RehashPolicy* self, const Caller& at, F&& function) {
  RehashPolicy copy{at.get(self->most_load), at.get(self->next_resize)};
  const std::size_t before = copy.next_resize;
  const auto result = function(&copy);
  if (copy.next_resize != before) at.set(self->next_resize, copy.next_resize);
  return result;
}

}  // namespace

extern "C" {

// std::_Rb_tree_insert_and_rebalance(bool, node*, node*, node&)
void __wrap__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, TreeNode* x, TreeNode* p,
                                                                              TreeNode& header) {
  Tree(header, PC).insert(left, x, p);
}
// std::_Rb_tree_rebalance_for_erase(node*, node&)
TreeNode* __wrap__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(TreeNode* z, TreeNode& header) {
  return Tree(header, PC).erase(z);
}
// std::_Rb_tree_increment, std::_Rb_tree_decrement, of node* and const node*
TreeNode* __wrap__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(TreeNode* n) { return next(n, &TreeNode::right, PC); }
TreeNode* __wrap__ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(TreeNode* n) { return next(n, &TreeNode::right, PC); }
TreeNode* __wrap__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(TreeNode* n) { return previous(n, PC); }
TreeNode* __wrap__ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(TreeNode* n) { return previous(n, PC); }

// std::__detail::_List_node_base
void __wrap__ZNSt8__detail15_List_node_base7_M_hookEPS0_(ListNode* self, ListNode* position) {
  const Caller at{PC};
  at.set(self->next, position);
  ListNode* const previous = at.get(position->previous);
  at.set(self->previous, previous);
  at.set(previous->next, self);
  at.set(position->previous, self);
}
void __wrap__ZNSt8__detail15_List_node_base9_M_unhookEv(ListNode* self) {
  const Caller at{PC};
  ListNode* const next = at.get(self->next);
  ListNode* const previous = at.get(self->previous);
  at.set(previous->next, next);
  at.set(next->previous, previous);
}
// [first, last) goes before `self`.
void __wrap__ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(ListNode* self, ListNode* first, ListNode* last) {
  if (self == last) return;
  const Caller at{PC};
  ListNode* const last_moved = at.get(last->previous);
  ListNode* const before_first = at.get(first->previous);
  ListNode* const before_self = at.get(self->previous);
  at.set(before_first->next, last);
  at.set(last->previous, before_first);
  at.set(before_self->next, first);
  at.set(first->previous, before_self);
  at.set(last_moved->next, self);
  at.set(self->previous, last_moved);
}
void __wrap__ZNSt8__detail15_List_node_base10_M_reverseEv(ListNode* self) {
  const Caller at{PC};
  ListNode* n = self;
  do {
    ListNode* const next = at.get(n->next);
    at.set(n->next, at.get(n->previous));
    at.set(n->previous, next);
    n = next;
  } while (n != self);
}
void __wrap__ZNSt8__detail15_List_node_base4swapERS0_S1_(ListNode& x, ListNode& y) { swap_lists(x, y, {PC}); }

// std::_Hash_bytes(const void*, size_t, size_t)
std::size_t _ZSt11_Hash_bytesPKvmm(const void* p, std::size_t size, std::size_t seed);
std::size_t __wrap__ZSt11_Hash_bytesPKvmm(const void* p, std::size_t size, std::size_t seed) {
  LibraryCall call(PC);
  call.reads(p, size);
  return call.perform([&] { return _ZSt11_Hash_bytesPKvmm(p, size, seed); });
}

// std::__detail::_Prime_rehash_policy::_M_next_bkt(size_t) const, _M_need_rehash(size_t, size_t, size_t) const
std::size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(RehashPolicy* self, std::size_t n);
std::size_t __wrap__ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(RehashPolicy* self, std::size_t n) {
  return with_copy(self, {PC},
                   [&](RehashPolicy* copy) { return _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(copy, n); });
}
NeedRehash _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(RehashPolicy* self, std::size_t buckets,
                                                                     std::size_t elements, std::size_t more);
NeedRehash __wrap__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(RehashPolicy* self, std::size_t buckets,
                                                                            std::size_t elements, std::size_t more) {
  return with_copy(self, {PC}, [&](RehashPolicy* copy) {
    return _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(copy, buckets, elements, more);
  });
}
}
