import type { OutputOptions } from '../common/options.js';

/** The options of `alas-jssp paper`. */
export interface PaperCommandOptions extends OutputOptions {
  list: boolean;
  commands: boolean;
  estimate: boolean;
  planner?: string[];
  threads: number;
  suite: string;
  out: string;
  resume: boolean;
  budgetUsd?: number;
  budgetTokens?: number;
  prices?: string;
}
