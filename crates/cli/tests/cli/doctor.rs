//! `sojourner doctor` on Java: the JDK, and what a program needs that is lacking.

use crate::desk::Desk;

#[test]
fn the_doctor_names_the_jdk() {
    let desk = Desk::new();
    desk.run("doctor").code(0).says("jdk: 17.").says("(supported)").says("Java programs run");
    std::fs::create_dir(desk.path("jdk")).unwrap();
    desk.write("jdk/release", "JAVA_VERSION=\"21.0.1\"\n");
    desk.run("doctor --jdk jdk").code(0).says("this is Java 21.0.1 and only Java 17 is supported");
}
