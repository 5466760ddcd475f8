// What the matrix knows of an engine.

import type { FeatureNote } from '@alas-jssp/convert';
import type { Workflow } from '@alas-jssp/workflow';
import type { Ended } from './judge.js';
import type { startStub } from './stub.js';

export type Stub = Awaited<ReturnType<typeof startStub>>;

/** What the registry of our own runtime does wrong on purpose. */
export type Sabotage = 'reversed-compensation' | 'swallowed-error';

export interface EngineInfo {
  name: string;
  version: string;
  patches: { file: string; sha256: string }[];
}

/** A document in the language of an engine, to be run; `cancelAfter` are seconds. */
export interface Run {
  runId: string;
  text: string;
  input: unknown;
  cancelAfter?: number;
}

export interface Engine {
  info: EngineInfo;
  execute(run: Run): Promise<Ended>;
  /** Of an engine that only checks documents: what is wrong with one. */
  lint?: ((text: string) => Promise<{ errors: string[] }>) | undefined;
  stop(): Promise<void>;
}

/** `engines/NAME/engine.mjs`. */
export interface EngineModule {
  /** Where it is installed; undefined if it is not. */
  find(): string | undefined;
  start(options: { stub: string; sabotage?: Sabotage }): Promise<Engine>;
  /** Of engines that only check documents, which are not started. */
  info?: EngineInfo;
  lint?: Engine['lint'];
}

/** A column of the matrix. */
export interface Column {
  name: string;
  title: string;
  /** Runs at the same time. */
  most: number;
  /** The engine only checks documents. */
  lint?: boolean;
  /** The workflow in the language of the engine. */
  write(workflow: Workflow): Promise<{ text: string; report: readonly FeatureNote[] }>;
  load(): Promise<EngineModule>;
}

/** Starts the engine of a column; one that only checks documents has nothing to start. */
export async function startEngine(
  { name, lint }: Column,
  module: EngineModule,
  stub: Stub,
): Promise<Engine> {
  if (!lint) return module.start({ stub: stub.url });
  const { info = { name, version: '', patches: [] } } = module;
  return {
    info,
    lint: module.lint,
    execute: () => Promise.reject(new Error(`${name} only checks documents`)),
    stop: async () => {},
  };
}
