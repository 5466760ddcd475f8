// Benchmarks with their texts, which scripts/build-playground.mjs puts into the bundle.
declare module 'playground-benchmarks' {
  /** A benchmark: its text in its file, and the best known bounds. */
  interface BundledBenchmark {
    readonly name: string;
    readonly file: string;
    readonly text: string;
    readonly lower: number;
    readonly upper: number;
    readonly asOf: string;
  }
  /** The starts of an optimal schedule of the benchmark that the page opens with. */
  export const optimizedStarts: { readonly name: string; readonly starts: readonly number[] };
  export const benchmarks: readonly BundledBenchmark[];
}
