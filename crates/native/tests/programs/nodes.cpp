// What sets and lists do to their nodes, compared with vectors.
#include <algorithm>
#include <cassert>
#include <iterator>
#include <list>
#include <set>
#include <vector>

static unsigned draw(unsigned below) {
    static unsigned state = 1;
    state = state * 1103515245 + 12345;
    return (state >> 8) % below;
}

template <class Container> static void compare(const Container &container, const std::vector<int> &expected) {
    assert(std::equal(container.begin(), container.end(), expected.begin(), expected.end()));
    assert(std::equal(container.rbegin(), container.rend(), expected.rbegin(), expected.rend()));
}

/// The black nodes on every way down from a node, which has no red one below if it is red.
template <class Node> static int height(const Node *node) {
    if (!node)
        return 1;
    bool red = node->_M_color == std::_S_red;
    for (const Node *below : {node->_M_left, node->_M_right})
        assert(!below || (below->_M_parent == node && !(red && below->_M_color == std::_S_red)));
    int left = height<Node>(node->_M_left), right = height<Node>(node->_M_right);
    assert(left == right);
    return left + !red;
}

static void change_set(unsigned range) {
    std::set<int> set;
    std::vector<int> sorted;
    for (int step = 0; step < 150; step++) {
        int number = draw(range);
        auto at = std::lower_bound(sorted.begin(), sorted.end(), number);
        bool there = at != sorted.end() && *at == number;
        if (draw(2)) {
            assert(set.insert(number).second == !there);
            if (!there)
                sorted.insert(at, number);
        } else {
            assert(set.erase(number) == there);
            if (there)
                sorted.erase(at);
        }
        compare(set, sorted);
        height(set.end()._M_node->_M_parent);
    }
}

static void change_lists() {
    std::list<int> list, other;
    std::vector<int> row, other_row;
    for (int step = 0; step < 40; step++) {
        int number = draw(100);
        switch (draw(8)) {
        case 0:
            list.push_back(number);
            row.push_back(number);
            break;
        case 1:
            list.push_front(number);
            row.insert(row.begin(), number);
            break;
        case 2:
            if (!list.empty()) {
                list.pop_front();
                row.erase(row.begin());
            }
            break;
        case 3:
            list.swap(other);
            row.swap(other_row);
            break;
        case 4:
            list.reverse();
            std::reverse(row.begin(), row.end());
            break;
        case 5:
            list.sort();
            std::sort(row.begin(), row.end());
            break;
        case 6:
            list.splice(std::next(list.begin(), list.size() / 2), other);
            row.insert(row.begin() + row.size() / 2, other_row.begin(), other_row.end());
            other_row.clear();
            break;
        case 7:
            if (!list.empty()) {
                list.splice(list.begin(), list, std::prev(list.end()));
                std::rotate(row.begin(), row.end() - 1, row.end());
            }
            break;
        }
        compare(list, row);
        compare(other, other_row);
    }
}

int main() {
    for (unsigned round = 0; round < 40; round++) {
        change_set(2 + round);
        change_lists();
    }
}
