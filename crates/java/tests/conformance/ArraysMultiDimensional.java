import java.util.Arrays;

/** Arrays of many dimensions and of every element type: making, jagged, defaults, copying, covariance. */
public class ArraysMultiDimensional {
    static int evaluations;

    static int size(int n) {
        evaluations = evaluations * 10 + n;
        return n;
    }

    public static void main(String[] args) {
        int[][] grid = new int[3][4];
        for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) grid[i][j] = i * j;
        System.out.println(Arrays.deepToString(grid));
        long[][][] cube = new long[2][3][];
        System.out.println(Arrays.deepToString(cube));
        cube[1][2] = new long[] {1L << 40, -1};
        cube[1][2][1] += 5;
        cube[1][2][0] >>>= 3;
        System.out.println(Arrays.deepToString(cube));
        String[][] jagged = {{"a"}, {}, {"b", "c"}, null};
        System.out.println(jagged.length + " " + jagged[2].length + " " + Arrays.deepToString(jagged));
        double[][][][] deep = new double[size(2)][size(1)][size(3)][size(2)];
        deep[1][0][2][1] = 0.5;
        System.out.println(evaluations + " " + Arrays.deepToString(deep[1]) + " " + deep.getClass().getName());
        char[][] board = {"x.o".toCharArray(), "...".toCharArray()};
        board[1][1]++;
        board[0][1] += 2;
        System.out.println(new String(board[0]) + new String(board[1]));
        byte[][] bytes = {{1, 2}, {(byte) 200}};
        bytes[0][1] <<= 6;
        bytes[1][0]--;
        short[][] shorts = new short[2][2];
        shorts[1][1] -= 40000;
        float[][] floats = {{1.5f}, {2, 3}};
        floats[1][0] /= 3;
        boolean[][] flags = new boolean[2][2];
        flags[0][1] |= true;
        flags[1][0] ^= flags[0][1];
        System.out.println(Arrays.deepToString(bytes) + Arrays.deepToString(shorts) + Arrays.deepToString(floats) + Arrays.deepToString(flags));
        int[][] shallow = grid.clone();
        shallow[1][1] = 99;
        shallow[2] = new int[] {7};
        System.out.println(grid[1][1] + " " + grid[2].length + " " + Arrays.equals(grid, shallow) + " " + Arrays.deepEquals(grid, grid.clone()) + " " + Arrays.deepHashCode(new int[][] {{1}, {2}}));
        Object[] covariant = new Integer[][] {{1, 2}, {3}};
        System.out.println(covariant.getClass().getSimpleName() + " " + ((Integer[]) covariant[0])[1]);
        try {
            covariant[0] = new String[0];
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        int[] a = {1, 2, 3}, b = a;
        b[0] = 9;
        int[][] shared = {a, a};
        shared[0][1] = 8;
        System.out.println(Arrays.toString(a) + Arrays.deepToString(shared) + (shared[0] == shared[1]));
        int sum = 0;
        for (int[] row : grid) for (int v : row) sum += v;
        System.out.println(sum);
        int[][] triangle = new int[6][];
        for (int n = 0; n < triangle.length; n++) {
            triangle[n] = new int[n + 1];
            triangle[n][0] = triangle[n][n] = 1;
            for (int k = 1; k < n; k++) triangle[n][k] = triangle[n - 1][k - 1] + triangle[n - 1][k];
        }
        System.out.println(Arrays.toString(triangle[5]));
        Object nested = new Object[] {1, new int[] {2}, new Object[] {"x", null}};
        System.out.println(Arrays.deepToString((Object[]) nested));
        Object[] self = new Object[1];
        self[0] = self;
        System.out.println(Arrays.deepToString(self));
        int x[] = {1}, y[][] = {x};
        System.out.println(y[0][x[0] - 1] + returnsArray()[1]);
    }

    static int returnsArray()[] {
        return new int[] {4, 5};
    }
}
