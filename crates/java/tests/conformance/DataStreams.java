import java.io.*;
import java.nio.*;
import java.util.Arrays;
import java.util.zip.*;

/** DataInput and DataOutput, modified UTF-8, byte buffers, and compression in memory. */
public class DataStreams {
    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream d = new DataOutputStream(bytes)) {
            d.writeByte(-1);
            d.writeShort(-2);
            d.writeChar('\u20ac');
            d.writeInt(Integer.MIN_VALUE);
            d.writeLong(0x0102030405060708L);
            d.writeFloat(-0f);
            d.writeDouble(Math.PI);
            d.writeBoolean(true);
            d.writeUTF("a\0é€\uD83D\uDE00");
            d.writeBytes("lo");
            d.writeChars("hi");
            System.out.println(d.size());
        }
        System.out.println(Arrays.toString(bytes.toByteArray()));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(in.readByte() + " " + in.readUnsignedShort() + " " + (int) in.readChar() + " " + in.readInt() + " " + Long.toHexString(in.readLong()) + " " + in.readFloat() + " " + in.readDouble() + " " + in.readBoolean()
                + " " + in.readUTF().length() + " " + in.skipBytes(2) + in.readChar() + in.readChar());
        try {
            in.readInt();
        } catch (EOFException e) {
            System.out.println("end of file");
        }
        try {
            new DataInputStream(new ByteArrayInputStream(new byte[] {0, 2, (byte) 0xc0, 0x20})).readUTF();
        } catch (UTFDataFormatException e) {
            System.out.println(e.getMessage());
        }
        ByteBuffer b = ByteBuffer.allocate(32);
        b.putInt(7).putDouble(2.5).order(ByteOrder.LITTLE_ENDIAN).putShort((short) 0x1234).putLong(20, -2);
        System.out.println(b + " " + b.get(12) + " " + b.flip().remaining() + " " + b.order(ByteOrder.BIG_ENDIAN).getInt() + " " + b.slice().getDouble() + " " + b.position(12).order(ByteOrder.LITTLE_ENDIAN).getShort());
        try {
            b.get();
        } catch (BufferUnderflowException e) {
            System.out.println("underflow");
        }
        b.clear();
        b.asIntBuffer().put(new int[] {1, 2, 3});
        System.out.println(Arrays.toString(Arrays.copyOf(b.array(), 12)) + " " + b.asReadOnlyBuffer().isReadOnly() + " " + b.mark().position(8).reset().position() + " " + b.compact().limit() + " " + b.duplicate().equals(b));
        CharBuffer chars = CharBuffer.wrap("characters", 2, 6);
        System.out.println(chars + " " + chars.length() + " " + chars.subSequence(1, 3) + " " + LongBuffer.wrap(new long[] {5, 6}).get(1));
        byte[] plain = "repetition ".repeat(50).getBytes();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
            zip.write(plain);
        }
        byte[] back = new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray())).readAllBytes();
        System.out.println((packed.size() < plain.length / 4) + " " + Arrays.equals(plain, back));
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(plain);
        deflater.finish();
        byte[] room = new byte[600];
        int n = deflater.deflate(room);
        Inflater inflater = new Inflater(true);
        inflater.setInput(room, 0, n);
        byte[] unpacked = new byte[600];
        System.out.println(deflater.finished() + " " + inflater.inflate(unpacked) + " " + inflater.finished() + " " + new String(unpacked, 0, 10));
        CRC32 crc = new CRC32();
        crc.update(plain);
        Adler32 adler = new Adler32();
        adler.update("Wikipedia".getBytes());
        CRC32C castagnoli = new CRC32C();
        castagnoli.update("123456789".getBytes());
        System.out.println(Long.toHexString(crc.getValue()) + " " + Long.toHexString(adler.getValue()) + " " + Long.toHexString(castagnoli.getValue()));
    }
}
