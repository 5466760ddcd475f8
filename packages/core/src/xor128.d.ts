/** A single generator of the package `seedrandom`, which its types do not declare as a module. */
declare module 'seedrandom/lib/xor128.js' {
  const xor128: (seed: string) => () => number;
  export = xor128;
}
