//! CRC-32 as zip files use it (polynomial 0x04C11DB7, reflected).
//!
//! Eight bytes at a time with eight tables ("slicing by 8", Kounavis and Berry 2008): about a gigabyte per second, so that
//! a long recording is not bound by its checksum.

const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut t = [[0; 256]; 8];
    let mut i = 0;
    while i < 256 {
        let (mut c, mut bit) = (i as u32, 0);
        while bit < 8 {
            c = if c & 1 == 1 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 };
            bit += 1;
        }
        t[0][i] = c;
        i += 1;
    }
    // table k: the effect of a byte followed by k zero bytes
    let mut k = 1;
    while k < 8 {
        let mut i = 0;
        while i < 256 {
            let c = t[k - 1][i];
            t[k][i] = (c >> 8) ^ t[0][(c & 0xFF) as usize];
            i += 1;
        }
        k += 1;
    }
    t
}

/// A running checksum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crc32(u32);

impl Crc32 {
    pub(super) fn new() -> Crc32 {
        Crc32(!0)
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        let mut c = self.0;
        let (eights, rest) = bytes.as_chunks::<8>();
        for e in eights {
            let c4 = c.to_le_bytes();
            let at = |k: usize, byte: u8| TABLES[7 - k][byte as usize];
            c = at(0, e[0] ^ c4[0]) ^ at(1, e[1] ^ c4[1]) ^ at(2, e[2] ^ c4[2]) ^ at(3, e[3] ^ c4[3]);
            c ^= at(4, e[4]) ^ at(5, e[5]) ^ at(6, e[6]) ^ at(7, e[7]);
        }
        for byte in rest {
            c = (c >> 8) ^ TABLES[0][((c ^ u32::from(*byte)) & 0xFF) as usize];
        }
        self.0 = c;
    }

    pub(super) fn value(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Crc32;

    #[test]
    fn the_check_value_of_the_polynomial() {
        let mut crc = Crc32::new();
        crc.update(b"123456789");
        assert_eq!(crc.value(), 0xCBF4_3926);
    }

    #[test]
    fn pieces_make_the_whole() {
        let bytes: Vec<u8> = (0..1000_u32).map(|i| ((i * i) >> 3) as u8).collect();
        let mut whole = Crc32::new();
        whole.update(&bytes);
        for cut in [0, 1, 7, 8, 13, 999] {
            let mut pieces = Crc32::new();
            pieces.update(&bytes[..cut]);
            pieces.update(&bytes[cut..]);
            assert_eq!(pieces.value(), whole.value());
        }
    }
}
