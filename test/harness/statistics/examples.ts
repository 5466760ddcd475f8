/** Additional hours of sleep under one of two drugs less those under the other: Student 1908. */
export const SLEEP = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];

/** Heights of cross- less self-fertilized maize, in eighths of an inch: Darwin 1876; Fisher 1935. */
export const MAIZE = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75];

/** Depression scores before less after a therapy: Hollander and Wolfe 1973, p. 29; R's wilcox.test. */
export const DEPRESSION = [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01];

/** Sixty differences without ties, drawn once. */
export const SIXTY = [
  0.646, 1.122, 0.63, -1.003, 1.205, 0.746, -0.237, 0.881, 0.665, 0.594, 0.328, 0.847, -0.436,
  0.137, -0.182, 0.899, 0.34, 0.008, -0.482, 0.043, 0.308, 0.024, 1.594, 1.307, -2.411, -1.589,
  0.125, -0.122, 0.514, 0.517, 2.418, -0.812, -0.078, 2.343, 0.947, 0.963, -0.214, -1.348, 0.467,
  0.409, -0.927, -0.383, 0.228, -0.645, 0.202, 0.395, 0.336, -0.206, 0.894, 1.191, 0.621, -0.518,
  1.032, -0.201, 1.179, -0.772, 1.214, 0.28, -0.949, -0.014,
];
