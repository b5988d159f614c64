//! Images that no JDK of this machine has: of the other byte order, and compressed.

mod images;

use images::{Packed, image};
use sojourner_java::bytes::Bytes;
use sojourner_java::library::Image;

#[test]
fn both_byte_orders_and_compressed_resources_are_read() {
    let long = b"contents ".repeat(1000);
    for big_endian in [false, true] {
        let bytes = image(
            big_endian,
            &[
                ("m", "a/b/A.class", b"A", Packed::No),
                ("m", "a/b/B.class", b"B", Packed::Zip(1)),
                ("m", "module-info.class", b"", Packed::No),
                ("n", "c/C.class", &long, Packed::Zip(2)),
                ("n", "c/D.class", b"D", Packed::Otherwise),
                ("n", "text", b"text", Packed::No),
            ],
        );
        let image = Image::from_bytes(Bytes::new(bytes)).unwrap();
        assert_eq!(image.modules(), ["m", "n"]);
        let class = |name| image.class(name).map(|(bytes, module)| (bytes.to_vec(), module));
        assert_eq!(class("a/b/A"), Some((b"A".into(), "m")));
        assert_eq!(class("a/b/B"), Some((b"B".into(), "m")));
        assert_eq!(class("c/C"), Some((long.clone(), "n")));
        assert_eq!(class("c/D"), None, "it is not known how to unpack it");
        assert_eq!(class("a/C"), None);
        assert_eq!(&*image.resource("n", "text").unwrap(), b"text");
        assert!(image.resource("m", "text").is_none());
        let mut entries: Vec<(&str, String)> = image.entries().collect();
        entries.sort();
        let expected = [
            ("m", "a/b/A.class"),
            ("m", "a/b/B.class"),
            ("m", "module-info.class"),
            ("n", "c/C.class"),
            ("n", "c/D.class"),
            ("n", "text"),
        ];
        assert_eq!(entries, expected.map(|(module, path)| (module, path.to_string())));
    }
}

#[test]
fn an_image_without_resources_has_none() {
    let image = Image::from_bytes(Bytes::new(image(false, &[]))).unwrap();
    assert!(image.class("a/A").is_none());
    assert!(image.modules().is_empty());
}
