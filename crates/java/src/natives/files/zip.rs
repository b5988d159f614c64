//! Archives: inflating, deflating and checksums.

use crate::files::OpenArchive as Open;
use crate::machine::native::{Table, framed, leaf};
use crate::machine::{Abrupt, Arguments, Bits, Machine, Run};
use crate::memory::Ref;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

pub const TABLES: &[Table] = &[
    Table {
        class: "java/util/zip/Inflater",
        methods: &[
            ("init(Z)J", leaf(new_inflater)),
            ("inflateBytesBytes(J[BII[BII)J", framed(|m, a| inflate(m, a, bytes(a, 3), bytes(a, 6)))),
            ("inflateBytesBuffer(J[BIIJI)J", framed(|m, a| inflate(m, a, bytes(a, 3), buffer(a, 6)))),
            ("inflateBufferBytes(JJI[BII)J", framed(|m, a| inflate(m, a, buffer(a, 3), bytes(a, 6)))),
            ("inflateBufferBuffer(JJIJI)J", framed(|m, a| inflate(m, a, buffer(a, 3), buffer(a, 6)))),
            ("reset(J)V", leaf(reset_inflater)),
            ("end(J)V", leaf(end_inflater)),
            ("getAdler(J)I", leaf(|_, _| Ok(1))),
        ],
    },
    Table {
        class: "java/util/zip/Deflater",
        methods: &[
            ("init(IIZ)J", leaf(new_deflater)),
            ("deflateBytesBytes(J[BII[BIIII)J", framed(|m, a| deflate(m, a, bytes(a, 3), bytes(a, 6), 9))),
            ("deflateBytesBuffer(J[BIIJIII)J", framed(|m, a| deflate(m, a, bytes(a, 3), buffer(a, 6), 9))),
            ("deflateBufferBytes(JJI[BIIII)J", framed(|m, a| deflate(m, a, buffer(a, 3), bytes(a, 6), 9))),
            ("deflateBufferBuffer(JJIJIII)J", framed(|m, a| deflate(m, a, buffer(a, 3), buffer(a, 6), 9))),
            ("reset(J)V", leaf(reset_deflater)),
            ("end(J)V", leaf(end_deflater)),
            ("getAdler(J)I", leaf(|_, _| Ok(1))),
        ],
    },
    Table {
        class: "java/util/zip/CRC32",
        methods: &[
            ("update(II)I", leaf(|_, a| Ok(crc(a.get(0), &[a.int(1) as u8]).bits()))),
            ("updateBytes0(I[BII)I", leaf(|m, a| Ok(crc(a.get(0), &part(m, a, 1)?).bits()))),
            ("updateByteBuffer0(IJII)I", leaf(|m, a| Ok(crc(a.get(0), &outside(m, a, 1)?).bits()))),
        ],
    },
    Table {
        class: "java/util/zip/Adler32",
        methods: &[
            ("update(II)I", leaf(|_, a| Ok(adler(a.get(0), &[a.int(1) as u8]).bits()))),
            ("updateBytes(I[BII)I", leaf(|m, a| Ok(adler(a.get(0), &part(m, a, 1)?).bits()))),
            ("updateByteBuffer(IJII)I", leaf(|m, a| Ok(adler(a.get(0), &outside(m, a, 1)?).bits()))),
        ],
    },
];

/// The number of the present transition among those that can be taken back; 0 for what is done for ever.
fn moment(machine: &Machine) -> usize {
    if machine.scheduling.is_in_scope() { 0 } else { machine.marks() }
}

/// Keeps a stream; its handle.
fn keep<T>(streams: &mut Vec<Open<T>>, stream: T, used: usize) -> u64 {
    streams.push(Open { stream: Some(stream), opened: used, used, lost: false });
    streams.len() as u64
}

/// The stream of a handle, which the present transition is about to use; `None` if there is none, or it is closed.
fn open<T>(streams: &mut [Open<T>], handle: i64, used: usize) -> Run<Option<&mut Option<T>>> {
    let index = usize::try_from(handle).ok().and_then(|handle| handle.checked_sub(1));
    let Some(open) = index.and_then(|index| streams.get_mut(index)) else { return Ok(None) };
    if open.lost {
        return Err(Abrupt::unsupported(
            "a compressed stream is open where threads take turns, and what it has done cannot be taken back",
        ));
    }
    open.used = used;
    Ok(Some(&mut open.stream))
}

/// Bytes that a native is given: those of an array from an index on, or those at an address.
#[derive(Clone, Copy)]
struct Piece {
    array: Ref,
    start: i64,
    length: i32,
}

/// An array, an offset and a length in slots. Those of `Inflater` begin behind the receiver and the handle.
fn bytes(arguments: Arguments, slot: u16) -> Piece {
    let start = i64::from(arguments.int(slot + 1)) + i64::from(crate::memory::ARRAY_DATA);
    Piece { array: arguments.object(slot), start, length: arguments.int(slot + 2) }
}

/// An address, which takes two slots, and a length.
fn buffer(arguments: Arguments, slot: u16) -> Piece {
    Piece { array: Ref::NULL, start: arguments.long(slot), length: arguments.int(slot + 2) }
}

impl Piece {
    fn read(self, machine: &mut Machine) -> Run<Vec<u8>> {
        self.bytes(machine).map(|bytes| bytes.to_vec())
    }

    fn bytes(self, machine: &mut Machine) -> Run<&mut [u8]> {
        let bytes = machine.heap.raw_bytes(self.array, self.start, self.length.max(0) as usize);
        bytes.ok_or_else(|| Abrupt::raise("java/lang/InternalError", "a buffer outside of the heap"))
    }
}

fn part(machine: &mut Machine, arguments: Arguments, slot: u16) -> Run<Vec<u8>> {
    bytes(arguments, slot).read(machine)
}

/// An address, an offset and a length in slots.
fn outside(machine: &mut Machine, arguments: Arguments, slot: u16) -> Run<Vec<u8>> {
    let start = arguments.long(slot) + i64::from(arguments.int(slot + 2));
    Piece { array: Ref::NULL, start, length: arguments.int(slot + 3) }.read(machine)
}

fn closed() -> Abrupt {
    Abrupt::raise("java/lang/NullPointerException", "the stream of an archive is closed")
}

/// How much was read and written, as the JDK's natives say it.
fn progress(read: u64, written: u64, finished: bool) -> u64 {
    read | written << 31 | u64::from(finished) << 62
}

fn new_inflater(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let zlib = arguments.int(0) == 0;
    let used = moment(machine);
    Ok(keep(&mut machine.files.archives.inflating, (Decompress::new(zlib), zlib), used))
}

fn inflate(machine: &mut Machine, arguments: Arguments, from: Piece, to: Piece) -> Run<u64> {
    let input = from.read(machine)?;
    let mut output = vec![0; to.length.max(0) as usize];
    let used = moment(machine);
    let stream = open(&mut machine.files.archives.inflating, arguments.long(1), used)?;
    let (stream, _) = stream.and_then(Option::as_mut).ok_or_else(closed)?;
    let (read, written) = (stream.total_in(), stream.total_out());
    let status = stream.decompress(&input, &mut output, FlushDecompress::Sync);
    let (read, written) = (stream.total_in() - read, stream.total_out() - written);
    to.bytes(machine)?[..written as usize].copy_from_slice(&output[..written as usize]);
    match status {
        Ok(status) => Ok(progress(read, written, status == Status::StreamEnd)),
        Err(error) if error.needs_dictionary().is_some() => {
            Err(Abrupt::unsupported("a compressed stream with a dictionary is not supported"))
        }
        Err(error) => {
            let inflater = arguments.object(0);
            machine.set_int(inflater, "inputConsumed", read as i32);
            machine.set_int(inflater, "outputConsumed", written as i32);
            Err(Abrupt::Raise {
                class: "java/util/zip/DataFormatException",
                message: error.message().map(String::from),
            })
        }
    }
}

fn reset_inflater(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let used = moment(machine);
    let stream = open(&mut machine.files.archives.inflating, arguments.long(0), used)?;
    if let Some((stream, zlib)) = stream.and_then(Option::as_mut) {
        stream.reset(*zlib);
    }
    Ok(0)
}

fn end_inflater(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let used = moment(machine);
    if let Some(stream) = open(&mut machine.files.archives.inflating, arguments.long(0), used)? {
        *stream = None;
    }
    Ok(0)
}

fn new_deflater(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let level = u32::try_from(arguments.int(0)).map_or_else(|_| Compression::default(), Compression::new);
    let used = moment(machine);
    Ok(keep(&mut machine.files.archives.deflating, Compress::new(level, arguments.int(2) == 0), used))
}

fn deflate(machine: &mut Machine, arguments: Arguments, from: Piece, to: Piece, slot: u16) -> Run<u64> {
    let input = from.read(machine)?;
    let mut output = vec![0; to.length.max(0) as usize];
    let flush = match arguments.int(slot) {
        2 => FlushCompress::Sync,
        3 => FlushCompress::Full,
        4 => FlushCompress::Finish,
        _ => FlushCompress::None,
    };
    let used = moment(machine);
    let stream = open(&mut machine.files.archives.deflating, arguments.long(1), used)?;
    let stream = stream.and_then(Option::as_mut).ok_or_else(closed)?;
    let (read, written) = (stream.total_in(), stream.total_out());
    let status = stream.compress(&input, &mut output, flush);
    let (read, written) = (stream.total_in() - read, stream.total_out() - written);
    let status = status.map_err(|error| Abrupt::raise("java/lang/InternalError", error.to_string()))?;
    to.bytes(machine)?[..written as usize].copy_from_slice(&output[..written as usize]);
    Ok(progress(read, written, status == Status::StreamEnd))
}

fn reset_deflater(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let used = moment(machine);
    let stream = open(&mut machine.files.archives.deflating, arguments.long(0), used)?;
    if let Some(stream) = stream.and_then(Option::as_mut) {
        stream.reset();
    }
    Ok(0)
}

fn end_deflater(machine: &mut Machine, arguments: Arguments) -> Run<u64> {
    let used = moment(machine);
    if let Some(stream) = open(&mut machine.files.archives.deflating, arguments.long(0), used)? {
        *stream = None;
    }
    Ok(0)
}

/// The checksum of what had this one, followed by more bytes.
fn crc(known: u32, bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut index = 0;
        while index < 256 {
            let mut value = index as u32;
            let mut bit = 0;
            while bit < 8 {
                value = if value & 1 == 0 { value >> 1 } else { value >> 1 ^ 0xEDB8_8320 };
                bit += 1;
            }
            table[index] = value;
            index += 1;
        }
        table
    };
    !bytes.iter().fold(!known, |crc, &byte| crc >> 8 ^ TABLE[usize::from(crc as u8 ^ byte)])
}

fn adler(known: u32, bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    let (a, b) = bytes.iter().fold((known & 0xFFFF, known >> 16), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % MODULUS;
        (a, (b + a) % MODULUS)
    });
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::{adler, crc};

    #[test]
    fn checksums_are_those_of_the_specifications() {
        assert_eq!(crc(0, b"123456789"), 0xCBF4_3926);
        assert_eq!(crc(crc(0, b"1234"), b"56789"), 0xCBF4_3926);
        assert_eq!(adler(1, b"Wikipedia"), 0x11E6_0398);
    }
}
