/** Shift distances beyond the width, and every narrowing and widening between primitive types. */
public class ShiftsAndNarrowing {
    public static void main(String[] args) {
        int[] distances = {0, 1, 7, 31, 32, 33, 63, 64, 65, -1, -31, Integer.MIN_VALUE};
        int[] ints = {1, -1, 0x12345678, Integer.MIN_VALUE, Integer.MAX_VALUE};
        long[] longs = {1, -1, 0x123456789abcdef0L, Long.MIN_VALUE, Long.MAX_VALUE};
        for (int d : distances) {
            StringBuilder line = new StringBuilder().append(d).append(':');
            for (int v : ints) {
                line.append(' ').append(v << d).append(' ').append(v >> d).append(' ').append(v >>> d);
            }
            for (long v : longs) {
                line.append(' ').append(v << d).append(' ').append(v >> d).append(' ').append(v >>> d);
                line.append(' ').append(v << (long) d);
            }
            System.out.println(line);
        }
        for (int v : new int[] {0, 127, 128, 255, 256, 32767, 32768, 65535, 65536, -1, -128, -129, -32769, 0x80ff}) {
            System.out.println(v + ": " + (byte) v + " " + (short) v + " " + (int) (char) v + " " + (long) v + " " + (float) v
                    + " " + (double) v);
        }
        for (long v : new long[] {1L << 31, (1L << 32) + 5, -1L, Long.MIN_VALUE, 0xffffffffL, (1L << 53) + 1, (1L << 24) + 1}) {
            System.out.println(v + ": " + (int) v + " " + (byte) v + " " + (char) v % 7 + " " + (float) v + " " + (double) v);
        }
        byte b = (byte) 200;
        System.out.println(b + " " + (b & 0xff) + " " + (b >>> 1) + " " + (b >> 1) + " " + (byte) (b >>> 1) + " " + (b << 24));
        b >>>= 1;
        System.out.println(b);
        b += 300.7;
        System.out.println(b);
        short s = (short) 40000;
        s *= 3;
        System.out.println(s + " " + (s--) + " " + (++s));
        char c = 'a';
        c += 1;
        c++;
        System.out.println(c + " " + (c + 1) + " " + (char) (c + 1) + " " + (int) Character.MAX_VALUE);
        c = Character.MAX_VALUE;
        c++;
        System.out.println((int) c);
        int i = 'x' * 2;
        i <<= 33;
        i ^= 'y';
        long l = i;
        l <<= 40;
        l >>>= 3;
        l %= 1_000_003;
        System.out.println(i + " " + l);
        System.out.println((int) 3.99f + " " + (int) -3.99 + " " + (byte) 300.5 + " " + (char) 65.7 + " " + (short) 1e10f);
        System.out.println(Integer.rotateLeft(0x80000001, 4) + " " + Long.rotateRight(1, 1) + " " + Integer.highestOneBit(1000));
    }
}
