/** One generator of the package `seedrandom`, whose types know it as a part of the whole only. */
declare module 'seedrandom/lib/xor128.js' {
  const xor128: (seed: string) => () => number;
  export = xor128;
}
