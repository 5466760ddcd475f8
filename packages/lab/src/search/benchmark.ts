import type { Bounds, InstanceSource } from 'alas-jssp/jssp';

/** An instance of a suite, whose bounds are known. */
export interface Benchmark extends InstanceSource {
  readonly bounds: Bounds;
}
