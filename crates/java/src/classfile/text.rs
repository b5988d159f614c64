//! Modified UTF-8, the encoding of texts in class files: NUL takes two bytes, and surrogates are encoded one by one.

/// The UTF-16 units of a text. Bytes that are no encoding become the replacement character.
pub fn decode(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        let (unit, length) = match (first, tail) {
            (0x01..=0x7F, _) => (u16::from(first), 1),
            (0xC0..=0xDF, [second, ..]) => (u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F), 2),
            (0xE0..=0xEF, [second, third, ..]) => {
                (u16::from(first & 0x0F) << 12 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F), 3)
            }
            _ => (0xFFFD, 1),
        };
        units.push(unit);
        rest = &rest[length..];
    }
    units
}

/// The modified UTF-8 of a text.
pub fn encode(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len());
    for &unit in units {
        match unit {
            0x01..=0x7F => bytes.push(unit as u8),
            0 | 0x80..=0x7FF => bytes.extend([0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8]),
            _ => bytes.extend([
                0xE0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3F) as u8,
                0x80 | (unit & 0x3F) as u8,
            ]),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn every_unit_survives() {
        let units: Vec<u16> = (0..=u16::MAX).collect();
        assert_eq!(decode(&encode(&units)), units);
    }
}
