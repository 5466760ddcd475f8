// The parts that do not depend on job shops, for other packages of this project: `@alas-jssp/core`.
export { readBytes } from './bytes.js';
export { canonicalJson } from './canonical-json.js';
export {
  AlasError,
  type ErrorFacts,
  InputError,
  type InputLocation,
  printableLine,
} from './errors.js';
export { checkJson, defaultHint } from './json-check.js';
export { type CheckedJson, faultError, type JsonFault } from './json-fault.js';
export { readJsonFile, writeJsonFile } from './json-file.js';
export { formatPath, type JsonPath } from './json-path.js';
export { parseJson } from './json-text.js';
export { nearestNames, suggestNames } from './nearest-names.js';
export { createRandom, type Random } from './random.js';
export { replaceFile, requireWritable } from './replace-file.js';
export { deriveSeed } from './seed.js';
export {
  anyOf,
  atTarget,
  type Budget,
  type BudgetLike,
  budgetCriterion,
  formatBudget,
  maxIdle,
  maxIterations,
  maxSeconds,
  parseBudget,
  type SearchState,
  type StoppingCriterion,
  toBudget,
} from './stopping.js';
