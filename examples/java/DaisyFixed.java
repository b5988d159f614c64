/**
 * A toy file system with a lock for the directory, for each inode and for each block, after Daisy of PRSS 2007 (Table
 * 1) and RB 2011.
 * The repaired twin of Daisy.java: a block is erased and marked as free without releasing its lock.
 * Parameters: threads (each creates a file, writes it, cuts it off, writes it again and reads it back), bytes of each
 * file; the paper has two threads.
 *
 * sojourner check examples/java/DaisyFixed.java -- 2 1: clean
 */
public class DaisyFixed {
    private static final class Block {
        boolean used;
        int content;
    }

    private static final class Inode {
        final int name;
        final int[] blocks;
        int size;

        Inode(int name, int capacity) {
            this.name = name;
            this.blocks = new int[capacity];
        }
    }

    /** The directory; its lock guards the entries. */
    private final Inode[] directory;
    private final Block[] disk;
    private final int capacity;

    DaisyFixed(int files, int capacity) {
        this.directory = new Inode[files];
        this.capacity = capacity;
        this.disk = new Block[files * capacity];
        for (int i = 0; i < disk.length; i++) {
            disk[i] = new Block();
        }
    }

    Inode create(int name) {
        synchronized (directory) {
            for (int i = 0; i < directory.length; i++) {
                if (directory[i] == null) {
                    directory[i] = new Inode(name, capacity);
                    return directory[i];
                }
                if (directory[i].name == name) {
                    return directory[i];
                }
            }
        }
        throw new IllegalStateException("the directory is full");
    }

    private int allocate() {
        for (int i = 0; i < disk.length; i++) {
            synchronized (disk[i]) {
                if (!disk[i].used) {
                    disk[i].used = true;
                    return i;
                }
            }
        }
        throw new IllegalStateException("the disk is full");
    }

    private void release(Block block) {
        synchronized (block) {
            block.used = false;
            block.content = 0;
        }
    }

    void append(Inode inode, int content) {
        synchronized (inode) {
            int number = allocate();
            synchronized (disk[number]) {
                disk[number].content = content;
            }
            inode.blocks[inode.size] = number;
            inode.size++;
        }
    }

    void truncate(Inode inode) {
        synchronized (inode) {
            while (inode.size > 0) {
                inode.size--;
                release(disk[inode.blocks[inode.size]]);
            }
        }
    }

    int read(Inode inode, int position) {
        synchronized (inode) {
            Block block = disk[inode.blocks[position]];
            synchronized (block) {
                return block.content;
            }
        }
    }

    void write(Inode inode) {
        for (int i = 0; i < capacity; i++) {
            append(inode, inode.name);
        }
    }

    void use(int name) {
        Inode inode = create(name);
        write(inode);
        truncate(inode);
        write(inode);
        for (int i = 0; i < capacity; i++) {
            assert read(inode, i) == name : "the file has lost what was written to it";
        }
    }

    public static void main(String[] args) {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int bytes = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        DaisyFixed files = new DaisyFixed(threads, bytes);
        for (int i = 1; i <= threads; i++) {
            int name = i;
            new Thread(() -> files.use(name)).start();
        }
    }
}
