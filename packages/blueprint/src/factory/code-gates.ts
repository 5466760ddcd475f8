import { sampleValue } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json } from '@alas-jssp/workflow';
import { createSchemaChecks } from '@alas-jssp/workflow/interpreter/schema-check';
import type { Evaluation, Sandbox } from '../sandbox/sandbox.js';
import type { AgentSpec } from './agent-spec.js';
import type { ObjectSchema } from './node-schemas.js';

/** A case that code must pass. */
export interface CodeCase {
  readonly input: Json;
  readonly output: Json;
}

/** The reason why code was refused: the counterexample in words, and a hint for its author. */
export interface CodeFault {
  readonly code: 'code_fails' | 'code_wrong' | 'code_varies' | 'case_wrong' | 'review_untested';
  readonly message: string;
  readonly hint: string;
}

/** Inputs that are drawn from the input schema. */
const SAMPLES = 50;
/** Attempts to draw an input that matches the schema. */
const ATTEMPTS = 20;
const SHOWN = 300;

/**
 * Passes code through the gates, in the sandbox: its cases; at least 50 inputs drawn from its input schema, and unusual
 * ones made of them, whose outputs must match the output schema; and the same output in a second run. A review must show
 * a case that it refuses.
 *
 * @returns the first fault; undefined if there is none
 */
export async function findCodeFault(
  source: string,
  cases: readonly CodeCase[],
  spec: AgentSpec,
  sandbox: Sandbox,
): Promise<CodeFault | undefined> {
  const known = judged.get(sandbox) ?? new Map<string, CodeFault | undefined>();
  judged.set(sandbox, known);
  const { input, output, reviews } = spec;
  const key = sha256(canonicalJson({ source, cases, input, output, reviews }));
  if (!known.has(key)) known.set(key, await passGates(source, cases, spec, sandbox));
  return known.get(key);
}

/** Verdicts by the hash of what was judged: each round of drafting judges all code again. */
const judged = new WeakMap<Sandbox, Map<string, CodeFault | undefined>>();

async function passGates(
  source: string,
  cases: readonly CodeCase[],
  spec: AgentSpec,
  sandbox: Sandbox,
): Promise<CodeFault | undefined> {
  const checks = createSchemaChecks();
  const inputFaults = checks(spec.input as never);
  const outputFaults = checks(spec.output as never);
  for (const { input, output } of cases) {
    const faults = inputFaults(input);
    if (faults.length > 0) return badCase(input, 'input', faults[0]);
    const wanted = outputFaults(output);
    if (wanted.length > 0) return badCase(output, 'output', wanted[0]);
  }
  const untested = findUntestedReview(cases, spec);
  if (untested !== undefined) return untested;
  const inputs = [...cases.map(({ input }) => input), ...inputsOf(spec.input, inputFaults)];
  const outputs: Json[] = [];
  const first = await evaluateAll(sandbox, source, inputs);
  for (const [k, ran] of first.entries()) {
    const input = inputs[k];
    if ('error' in ran) return fails(input, ran.error);
    const { output } = ran;
    const faults = outputFaults(output);
    if (faults.length > 0) return wrongForm(input, output, faults[0]);
    const wanted = cases.at(k);
    if (k < cases.length && wanted !== undefined && !equalJson(output, wanted.output)) {
      return wrongOutput(input, output, wanted.output);
    }
    outputs.push(output);
  }
  // In the opposite order: code that remembers earlier calls gives other outputs.
  const second = await evaluateAll(sandbox, source, inputs.toReversed());
  for (const [k, ran] of second.toReversed().entries()) {
    if ('error' in ran) return fails(inputs[k], ran.error);
    if (!equalJson(outputs[k], ran.output)) return varies(inputs[k], outputs[k], ran.output);
  }
  return undefined;
}

/** Evaluates code for all inputs; those after a call that exceeds a limit have its error, too. */
async function evaluateAll(
  sandbox: Sandbox,
  source: string,
  inputs: readonly Json[],
): Promise<readonly Evaluation[]> {
  try {
    const ran = await sandbox.evaluateEach(source, inputs);
    const last = ran.at(-1);
    if (ran.length === inputs.length || last === undefined || !('error' in last)) return ran;
    return inputs.map((_, k) => ran[k] ?? last);
  } catch (error) {
    if (!(error instanceof AlasError)) throw error;
    return inputs.map(() => ({ error }));
  }
}

/** A value that the input schema of a specification allows. */
export function exampleOfSpec(spec: AgentSpec): Json {
  return inputsOf(spec.input, createSchemaChecks()(spec.input as never))[0] ?? {};
}

/** Inputs that a schema allows: drawn by a seed, and unusual ones made of them. */
function inputsOf(schema: ObjectSchema, faultsOf: (value: Json) => readonly unknown[]): Json[] {
  const random = createRandom('inputs of code');
  const found: Json[] = [];
  for (let k = 0; k < SAMPLES; k++) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const value = sampleValue(schema, random);
      if (faultsOf(value).length > 0) continue;
      found.push(value);
      break;
    }
  }
  const unusual = found.slice(0, 3).flatMap((value) => variants(value));
  return [...found, ...unusual.filter((value) => faultsOf(value).length === 0)];
}

/** A value with each of its parts replaced by an unusual one of its type. */
function variants(value: Json): Json[] {
  if (typeof value === 'string') return ['', ' ', 'ß😀\u0000"\\'];
  if (typeof value === 'number') return [0, -1, 0.1, 100_000];
  if (Array.isArray(value)) {
    const inner = value.flatMap((item, i) =>
      variants(item).map((other) => value.map((one, k) => (k === i ? other : one))),
    );
    return [[], ...inner];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    ...variants(part).map((other) => ({ ...value, [key]: other })),
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)),
  ]);
}

/** A review that no case shows refusing anything may as well accept everything. */
function findUntestedReview(
  cases: readonly CodeCase[],
  { reviews }: AgentSpec,
): CodeFault | undefined {
  if (!reviews) return undefined;
  const says = (ok: boolean) =>
    cases.some(({ output }) => (output as { ok?: unknown } | null)?.ok === ok);
  const missing = [true, false].find((ok) => !says(ok));
  if (missing === undefined) return undefined;
  return {
    code: 'review_untested',
    message: `no case of the review has an output with "ok": ${missing}`,
    hint: `add a case whose output has "ok": ${missing}`,
  };
}

/** Whether two values are equal; numbers may differ in their last digits, as sums of fractions do. */
function equalJson(one: Json, other: Json): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, i) => equalJson(item, other[i]));
  }
  if (isRecord(one) && isRecord(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && equalJson(one[key], other[key]))
    );
  }
  return canonicalJson(one) === canonicalJson(other);
}

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function fails(input: Json, error: AlasError): CodeFault {
  return {
    code: 'code_fails',
    message: `for the input ${show(input)} ${errorLine(error)}`,
    hint: 'return an output of the schema for every input of the schema, and throw nothing',
  };
}

function wrongForm(input: Json, output: Json, fault: string): CodeFault {
  return {
    code: 'code_fails',
    message: `for the input ${show(input)} the output is ${show(output)}: ${fault}`,
    hint: 'return an output of the schema for every input of the schema',
  };
}

function wrongOutput(input: Json, output: Json, wanted: Json): CodeFault {
  return {
    code: 'code_wrong',
    message: `for the input ${show(input)} the output is ${show(output)}, and its case says ${show(wanted)}`,
    hint: 'change the code, or the case if that is wrong',
  };
}

function varies(input: Json, first: Json, second: Json): CodeFault {
  return {
    code: 'code_varies',
    message: `for the input ${show(input)} the output is ${show(first)} at first, and ${show(second)} later`,
    hint: 'let the output depend on the input only',
  };
}

function badCase(value: Json, side: string, fault: string): CodeFault {
  return {
    code: 'case_wrong',
    message: `the ${side} of a case, ${show(value)}, does not match its schema: ${fault}`,
    hint: `give cases whose ${side} matches the schema of the ${side}`,
  };
}
