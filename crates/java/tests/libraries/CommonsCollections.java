import java.util.*;
import org.apache.commons.collections.*;
import org.apache.commons.collections.bag.TreeBag;
import org.apache.commons.collections.bidimap.*;
import org.apache.commons.collections.buffer.BoundedFifoBuffer;
import org.apache.commons.collections.buffer.CircularFifoBuffer;
import org.apache.commons.collections.buffer.PriorityBuffer;
import org.apache.commons.collections.functors.*;
import org.apache.commons.collections.keyvalue.MultiKey;
import org.apache.commons.collections.list.*;
import org.apache.commons.collections.list.CursorableLinkedList;
import org.apache.commons.collections.map.*;
import org.apache.commons.collections.map.LRUMap;
import org.apache.commons.collections.map.ReferenceMap;

/** Commons Collections 3: bags, bidirectional maps, buffers, decorators, functors, utilities. */
@SuppressWarnings({"unchecked", "rawtypes"})
public class CommonsCollections {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        Bag bag = new TreeBag(Arrays.asList("a", "b", "a", "c", "a"));
        System.out.println(bag + " " + bag.getCount("a") + " " + bag.uniqueSet() + " " + bag.remove("a", 2) + " " + bag.size());
        BidiMap bidi = new TreeBidiMap();
        bidi.put("one", 1);
        bidi.put("two", 2);
        bidi.put("uno", 1);
        System.out.println(bidi + " " + bidi.getKey(1) + " " + bidi.inverseBidiMap() + " " + bidi.removeValue(2));
        LRUMap lru = new LRUMap(2);
        lru.put("a", 1);
        lru.put("b", 2);
        lru.get("a");
        lru.put("c", 3);
        System.out.println(lru + " " + lru.isFull() + " " + lru.firstKey());
        MultiKeyMap keys = new MultiKeyMap();
        keys.put("x", 1, "x1");
        System.out.println(keys.get("x", 1) + " " + keys.containsKey(new MultiKey("x", 1)));
        MultiValueMap values = MultiValueMap.decorate(new TreeMap());
        values.put("k", 1);
        values.put("k", 2);
        values.put("l", 3);
        System.out.println(values + " " + values.totalSize() + " " + values.getCollection("k"));
        CircularFifoBuffer circular = new CircularFifoBuffer(3);
        for (int i = 0; i < 5; i++) circular.add(i);
        System.out.println(circular + " " + circular.get() + " " + circular.remove() + " " + new PriorityBuffer(Collections.reverseOrder()) {{
            addAll(Arrays.asList(3, 9, 4));
        }}.remove());
        attempt("bounded", () -> {
            Buffer b = new BoundedFifoBuffer(2);
            b.add(1);
            b.add(2);
            b.add(3);
        });
        Map lazy = LazyMap.decorate(new TreeMap(), (Transformer) k -> "made for " + k);
        System.out.println(lazy.get("z") + " " + lazy);
        List growth = GrowthList.decorate(new ArrayList());
        growth.set(2, "x");
        System.out.println(growth + " " + SetUniqueList.decorate(new ArrayList(Arrays.asList(1, 1, 2))) + " " + new TreeList(Arrays.asList(5, 6, 7)).get(1) + " " + new CursorableLinkedList(Arrays.asList("p", "q")));
        attempt("predicated", () -> ListUtils.predicatedList(new ArrayList(), NotNullPredicate.INSTANCE).add(null));
        attempt("typed", () -> ListUtils.typedList(new ArrayList(), String.class).add(5));
        attempt("fixed", () -> FixedSizeMap.decorate(new HashMap()).put("k", 1));
        List numbers = Arrays.asList(1, 2, 3, 4, 5, 6);
        System.out.println(CollectionUtils.select(numbers, o -> (Integer) o % 2 == 0) + " " + CollectionUtils.collect(numbers, o -> (Integer) o * 10) + " " + CollectionUtils.find(numbers, PredicateUtils.equalPredicate(4)) + " " + CollectionUtils.countMatches(numbers, o -> (Integer) o > 2)
                + " " + CollectionUtils.intersection(numbers, Arrays.asList(2, 9)) + " " + CollectionUtils.subtract(numbers, Arrays.asList(1, 6)) + " " + CollectionUtils.isEqualCollection(numbers, new LinkedList(numbers)) + " " + CollectionUtils.cardinality(1, numbers));
        System.out.println(PredicateUtils.orPredicate(o -> o == null, PredicateUtils.equalPredicate(4)).evaluate(4) + " " + ChainedTransformer.getInstance(new Transformer[] {o -> o + "a", o -> o + "b"}).transform("x") + " " + SwitchTransformer.getInstance(new Predicate[] {o -> o.equals(1)}, new Transformer[] {o -> "one"}, o -> "other").transform(2));
        System.out.println(IteratorUtils.toList(IteratorUtils.chainedIterator(numbers.iterator(), Arrays.asList("z").iterator())) + " " + IteratorUtils.toList(IteratorUtils.filteredIterator(numbers.iterator(), o -> (Integer) o < 3)) + " " + MapUtils.invertMap(Collections.singletonMap("k", "v")) + " " + MapUtils.getInteger(Collections.singletonMap("n", "12"), "n"));
        attempt("closure", () -> CollectionUtils.forAllDo(numbers, ClosureUtils.exceptionClosure()));
        ReferenceMap reference = new ReferenceMap(ReferenceMap.HARD, ReferenceMap.HARD);
        reference.put("k", "v");
        System.out.println(reference.get("k") + " " + new Flat3Map(Collections.singletonMap("a", 1)) + " " + new CaseInsensitiveMap(Collections.singletonMap("KEY", 1)).get("key") + " " + new LinkedMap(Collections.singletonMap("i", 0)).get(0) + " " + new HashedMap(Collections.singletonMap("h", 2)).mapIterator().next());
    }
}
