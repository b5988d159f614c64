/** Strings that are built, searched, cut and split. */
public class Texts {
    public static void main(String[] arguments) {
        int hash = 0;
        for (int i = 0; i < 100_000; i++) {
            StringBuilder builder = new StringBuilder();
            builder.append("item").append(i).append(':').append(i * 31L);
            String text = builder.toString();
            hash = hash * 31 + text.hashCode();
            if (text.contains("999")) {
                hash ^= text.indexOf(':');
            }
            hash += text.substring(2, 6).equals("em12") ? 1 : 0;
            String joined = "x" + i + "y" + hash;
            hash += joined.length() + text.split(":")[1].charAt(0);
        }
        System.out.println(hash);
    }
}
