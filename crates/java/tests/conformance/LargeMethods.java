/** Methods of a size that needs the wide forms: many locals, far jumps, large constants, large switches. */
public class LargeMethods {
    static int calls;

    static int mix(int level, int round) {
        calls++;
        if (round == 2 && level == 9) throw new IllegalStateException("at " + calls);
        return level * 31 + round;
    }

    /** The compiler copies each finally block twice: ten of them, nested, are more than 32 kilobytes of code. */
    static int far(int rounds) {
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            if (round == 5) break;
            try {
                sum += mix(0, round);
            } finally {
                try {
                    sum += mix(1, round);
                } finally {
                    try {
                        sum += mix(2, round);
                    } finally {
                        try {
                            sum += mix(3, round);
                        } finally {
                            try {
                                sum += mix(4, round);
                            } finally {
                                try {
                                    sum += mix(5, round);
                                } finally {
                                    try {
                                        sum += mix(6, round);
                                    } finally {
                                        try {
                                            sum += mix(7, round);
                                        } finally {
                                            try {
                                                sum += mix(8, round);
                                            } finally {
                                                try {
                                                    sum += mix(9, round);
                                                } finally {
                                                    sum += 1000 * mix(10, round) - 300;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            if (sum > 1_000_000) continue;
            sum++;
        }
        return sum;
    }

    static long manyLocals(int n) {
        long v0 = n + 0, v1 = n + 1, v2 = n + 2, v3 = n + 3, v4 = n + 4, v5 = n + 5, v6 = n + 6, v7 = n + 7, v8 = n + 8, v9 = n + 9, v10 = n + 10, v11 = n + 11, v12 = n + 12, v13 = n + 13, v14 = n + 14;
        long v15 = n + 15, v16 = n + 16, v17 = n + 17, v18 = n + 18, v19 = n + 19, v20 = n + 20, v21 = n + 21, v22 = n + 22, v23 = n + 23, v24 = n + 24, v25 = n + 25, v26 = n + 26, v27 = n + 27, v28 = n + 28, v29 = n + 29;
        long v30 = n + 30, v31 = n + 31, v32 = n + 32, v33 = n + 33, v34 = n + 34, v35 = n + 35, v36 = n + 36, v37 = n + 37, v38 = n + 38, v39 = n + 39, v40 = n + 40, v41 = n + 41, v42 = n + 42, v43 = n + 43, v44 = n + 44;
        long v45 = n + 45, v46 = n + 46, v47 = n + 47, v48 = n + 48, v49 = n + 49, v50 = n + 50, v51 = n + 51, v52 = n + 52, v53 = n + 53, v54 = n + 54, v55 = n + 55, v56 = n + 56, v57 = n + 57, v58 = n + 58, v59 = n + 59;
        long v60 = n + 60, v61 = n + 61, v62 = n + 62, v63 = n + 63, v64 = n + 64, v65 = n + 65, v66 = n + 66, v67 = n + 67, v68 = n + 68, v69 = n + 69, v70 = n + 70, v71 = n + 71, v72 = n + 72, v73 = n + 73, v74 = n + 74;
        long v75 = n + 75, v76 = n + 76, v77 = n + 77, v78 = n + 78, v79 = n + 79, v80 = n + 80, v81 = n + 81, v82 = n + 82, v83 = n + 83, v84 = n + 84, v85 = n + 85, v86 = n + 86, v87 = n + 87, v88 = n + 88, v89 = n + 89;
        long v90 = n + 90, v91 = n + 91, v92 = n + 92, v93 = n + 93, v94 = n + 94, v95 = n + 95, v96 = n + 96, v97 = n + 97, v98 = n + 98, v99 = n + 99, v100 = n + 100, v101 = n + 101, v102 = n + 102, v103 = n + 103, v104 = n + 104;
        long v105 = n + 105, v106 = n + 106, v107 = n + 107, v108 = n + 108, v109 = n + 109, v110 = n + 110, v111 = n + 111, v112 = n + 112, v113 = n + 113, v114 = n + 114, v115 = n + 115, v116 = n + 116, v117 = n + 117, v118 = n + 118, v119 = n + 119;
        long v120 = n + 120, v121 = n + 121, v122 = n + 122, v123 = n + 123, v124 = n + 124, v125 = n + 125, v126 = n + 126, v127 = n + 127, v128 = n + 128, v129 = n + 129, v130 = n + 130, v131 = n + 131, v132 = n + 132, v133 = n + 133, v134 = n + 134;
        int i = n, j = 0;
        double d = n / 2.0;
        float f = n;
        String s = "s" + n;
        for (i = 0; i < 1000; i += 100) j += 1000;
        i += -200;
        i++;
        v134 += v133 * v1;
        d += f;
        f = (float) d;
        Object o = s;
        s = (String) o;
        return v134 + v0 + v67 + i + j + (long) d + (long) f + s.length();
    }

    static int bigSwitch(int n) {
        switch (n) {
            case 0: return 0; case 1: return 7; case 2: return 28; case 3: return 63; case 4: return 112; case 5: return 175;
            case 6: return 252; case 7: return 343; case 8: return 448; case 9: return 567; case 10: return 700; case 11: return 847;
            case 12: return 8; case 13: return 183; case 14: return 372; case 15: return 575; case 16: return 792; case 17: return 23;
            case 18: return 268; case 19: return 527; case 20: return 800; case 21: return 87; case 22: return 388; case 23: return 703;
            case 24: return 32; case 25: return 375; case 26: return 732; case 27: return 103; case 28: return 488; case 29: return 887;
            case 30: return 300; case 31: return 727; case 32: return 168; case 33: return 623; case 34: return 92; case 35: return 575;
            case 36: return 72; case 37: return 583; case 38: return 108; case 39: return 647; case 40: return 200; case 41: return 767;
            case 42: return 348; case 43: return 943; case 44: return 552; case 45: return 175; case 46: return 812; case 47: return 463;
            case 48: return 128; case 49: return 807; case 50: return 500; case 51: return 207; case 52: return 928; case 53: return 663;
            case 54: return 412; case 55: return 175; case 56: return 952; case 57: return 743; case 58: return 548; case 59: return 367;
            default: return -1;
        }
    }

    static int sparseSwitch(int n) {
        switch (n) {
            case -1500045: return 0; case -1400042: return 1; case -1300039: return 2; case -1200036: return 3; case -1100033: return 4;
            case -1000030: return 5; case -900027: return 6; case -800024: return 7; case -700021: return 8; case -600018: return 9;
            case -500015: return 10; case -400012: return 11; case -300009: return 12; case -200006: return 13; case -100003: return 14;
            case 0: return 15; case 100003: return 16; case 200006: return 17; case 300009: return 18; case 400012: return 19;
            case 500015: return 20; case 600018: return 21; case 700021: return 22; case 800024: return 23; case 900027: return 24;
            case 1000030: return 25; case 1100033: return 26; case 1200036: return 27; case 1300039: return 28; case 1400042: return 29;
            default: return -1;
        }
    }

    public static void main(String[] args) {
        System.out.println(far(1) + " " + calls);
        System.out.println(far(2) + " " + calls);
        try {
            far(9);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + calls + " " + e.getStackTrace().length);
        }
        System.out.println(manyLocals(7) + " " + manyLocals(-3));
        int dense = 0, sparse = 0;
        for (int n = -5; n < 70; n++) dense = dense * 31 + bigSwitch(n);
        for (int n = -1_600_000; n < 1_600_000; n++) sparse += sparseSwitch(n) + 1;
        System.out.println(dense + " " + sparse + " " + bigSwitch(Integer.MIN_VALUE) + bigSwitch(Integer.MAX_VALUE));
        int big = 70000, small = -32768, wide = 32767, wider = 32768;
        long constant = 123456789012L;
        System.out.println(big + small + wide + wider + " " + constant + " " + 3.5f + " " + 1e100 + " " + -1L + " " + 2f + " " + 0.0 + " " + 1.0);
    }
}
