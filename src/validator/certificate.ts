import { AlasError, printableLine } from '@alas-jssp/core/errors';
import { formatPath } from '@alas-jssp/core/json-path';
import * as z from 'zod';
import {
  lowerBound as boundOf,
  type LowerBound,
  lowerBounds,
  type ProvenBound,
} from '../jssp/bounds.js';
import { instanceChecksum } from '../jssp/checksum.js';
import { assignModes, type Instance, MAX_TIME } from '../jssp/instance.js';
import { createSchedule, type Schedule } from '../jssp/schedule.js';
import { describeOperation } from '../jssp/words.js';
import { validate } from './validate.js';

const SCHEMA = 'alas-jssp/certificate@1';
/** That of shops with alternative modes: a reader that knows no modes refuses it. */
const SCHEMA_OF_MODES = 'alas-jssp/certificate@2';
/** The formats of certificates that are read. */
export const CERTIFICATE_SCHEMAS = [SCHEMA, SCHEMA_OF_MODES] as const;
const MAX_PROBLEMS = 10;

const boundSchema = z.object({ value: z.number().min(0), source: z.string().min(1) });

const certificateSchema: z.ZodType<Certificate> = z.object({
  schema: z.enum(CERTIFICATE_SCHEMAS),
  instance: z.object({
    name: z.string(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    jobs: z.int().min(1),
    machines: z.int().min(1),
    operations: z.int().min(0),
  }),
  starts: z.array(z.int().min(0).max(MAX_TIME)),
  modes: z.array(z.int().min(1)).optional(),
  makespan: z.int().min(0).max(MAX_TIME),
  lower_bound: boundSchema.nullable(),
  upper_bound: boundSchema.nullable(),
  proven_optimal: z.boolean(),
  created_with: z.object({
    package: z.string(),
    version: z.string(),
    node: z.string().optional(),
  }),
});

/**
 * The proof of the quality of a schedule, in a form that anyone with the instance can check. `starts` holds one start
 * time per operation, in job order, `modes` the mode of each, counted from 1 among its own, where operations have
 * several; `upper_bound` is the best makespan known elsewhere, for information.
 */
export interface Certificate {
  readonly schema: typeof SCHEMA | typeof SCHEMA_OF_MODES;
  readonly instance: {
    readonly name: string;
    /** SHA-256 of the canonical text of the instance, in hexadecimal digits. */
    readonly sha256: string;
    readonly jobs: number;
    readonly machines: number;
    readonly operations: number;
  };
  readonly starts: readonly number[];
  readonly modes?: readonly number[] | undefined;
  readonly makespan: number;
  readonly lower_bound: ProvenBound | null;
  readonly upper_bound: ProvenBound | null;
  readonly proven_optimal: boolean;
  readonly created_with: {
    readonly package: string;
    readonly version: string;
    readonly node?: string | undefined;
  };
}

/** Bounds on the optimal makespan of an instance from other sources. */
export interface KnownBounds {
  /** A proven lower bound. */
  readonly lowerBound?: ProvenBound | undefined;
  /** The best makespan known. */
  readonly upperBound?: ProvenBound | undefined;
}

/** Contents of a certificate in addition to the schedule. */
export interface CertificateOptions extends KnownBounds {
  /** The software that made the certificate. */
  readonly createdWith: Certificate['created_with'];
}

/** The outcome of checking a certificate. */
export interface CertificateCheck {
  readonly valid: boolean;
  /** One line for each problem. */
  readonly problems: readonly string[];
  /**
   * The basis of the claim of optimality: a bound recomputed here, the source that the certificate names, or none,
   * because it is not claimed (or the certificate is wrong).
   */
  readonly optimality: 'recomputed' | 'source' | 'none';
}

/**
 * Certifies a schedule. The lower bound is the one given or, unless that is larger, the best that can be computed.
 *
 * @throws AlasError `not_valid` if the validator rejects it or the lower bound exceeds it
 */
export function createCertificate(
  schedule: Schedule,
  { lowerBound, upperBound, createdWith }: CertificateOptions,
): Certificate {
  const { instance, start } = schedule;
  const { makespan, violations } = validate(instance, schedule, { limit: 1, bound: lowerBound });
  if (makespan === null || violations.length > 0) {
    throw new AlasError('not_valid', `no certificate: ${violations[0].message}`, violations[0]);
  }
  const own = boundOf(instance);
  const lower = lowerBound !== undefined && lowerBound.value > own.value ? lowerBound : own;
  const { modes } = instance;
  return {
    schema: modes === null ? SCHEMA : SCHEMA_OF_MODES,
    instance: {
      name: instance.name,
      sha256: instanceChecksum(instance),
      jobs: instance.jobs,
      machines: instance.machines,
      operations: instance.operations,
    },
    starts: Array.from(start),
    ...(modes !== null && {
      modes: Array.from(modes.chosen, (mode, op) => mode - modes.offset[op] + 1),
    }),
    makespan,
    lower_bound: { value: lower.value, source: lower.source },
    upper_bound:
      upperBound === undefined ? null : { value: upperBound.value, source: upperBound.source },
    proven_optimal: makespan === lower.value,
    created_with: createdWith,
  };
}

/**
 * Checks a certificate with the instance, and optionally with known bounds: its form, that it is for this instance, the
 * schedule, the makespan, both bounds, and that optimality follows from the lower one. Never throws on invalid
 * certificates.
 *
 * @param known best known bounds, such as those of `boundsFor`; without them, bounds that cannot be computed are
 *   accepted from the sources that the certificate names
 */
export function verifyCertificate(
  certificate: unknown,
  instance: Instance,
  known: KnownBounds = {},
): CertificateCheck {
  const parsed = certificateSchema.safeParse(certificate);
  if (!parsed.success) {
    const problems = parsed.error.issues
      .slice(0, MAX_PROBLEMS)
      .map(({ path, message }) => printableLine(`${formatPath(path)}: ${message}`));
    return { valid: false, problems, optimality: 'none' };
  }
  const proofs = lowerBounds(instance);
  // Names of sources and instances may hold anything.
  const problems = [
    ...checkInstance(parsed.data, instance),
    ...checkStarts(parsed.data, instance),
    ...checkBounds(parsed.data, proofs, known),
    ...checkOptimality(parsed.data),
  ].map(printableLine);
  const valid = problems.length === 0;
  const { proven_optimal, makespan } = parsed.data;
  if (!valid || !proven_optimal) return { valid, problems, optimality: 'none' };
  const isProven = proofs.some(({ value }) => value === makespan);
  return { valid, problems, optimality: isProven ? 'recomputed' : 'source' };
}

function checkInstance({ instance: claimed }: Certificate, instance: Instance): string[] {
  const problems = (['jobs', 'machines', 'operations'] as const)
    .filter((key) => claimed[key] !== instance[key])
    .map((key) => `it is for ${claimed[key]} ${key}, but ${instance.name} has ${instance[key]}`);
  if (claimed.sha256 !== instanceChecksum(instance)) {
    problems.push(`it is for another instance: the checksum of ${instance.name} is different`);
  }
  return problems;
}

function checkStarts(certificate: Certificate, instance: Instance): string[] {
  const { starts, makespan, lower_bound } = certificate;
  if (starts.length !== instance.operations) {
    return [`it has ${starts.length} start times for ${instance.operations} operations`];
  }
  const assigned = inModesOf(certificate, instance);
  if (typeof assigned === 'string') return [assigned];
  const schedule = createSchedule(assigned, Int32Array.from(starts));
  const report = validate(instance, schedule, {
    limit: MAX_PROBLEMS,
    bound: lower_bound ?? undefined,
  });
  const problems = report.violations.map(({ message }) => message);
  if (report.truncated) problems.push(`… ${report.total} violations in all`);
  if (report.makespan !== null && report.makespan !== makespan) {
    problems.push(`the makespan is ${report.makespan}, not ${makespan}`);
  }
  return problems;
}

/** The instance in the modes of a certificate, or what is wrong with them. */
function inModesOf({ schema, modes }: Certificate, instance: Instance): Instance | string {
  const { name, operations } = instance;
  if (instance.modes === null) {
    if (modes === undefined && schema === SCHEMA) return instance;
    return `it is for operations with modes, but ${name} has none`;
  }
  if (modes === undefined) return `it names no modes, but the operations of ${name} have some`;
  if (modes.length !== operations)
    return `it has ${modes.length} modes for ${operations} operations`;
  const { offset } = instance.modes;
  const chosen = Int32Array.from(modes, (mode, op) => offset[op] + mode - 1);
  const wrong = chosen.findIndex((mode, op) => mode >= offset[op + 1]);
  if (wrong < 0) return assignModes(instance, chosen);
  const count = offset[wrong + 1] - offset[wrong];
  return `${describeOperation(instance, wrong)} is in mode ${modes[wrong]}, but it has ${count}`;
}

function checkOptimality({ makespan, lower_bound, proven_optimal }: Certificate): string[] {
  const isProven = lower_bound !== null && lower_bound.value === makespan;
  if (isProven === proven_optimal) return [];
  const bound = lower_bound === null ? 'no lower bound' : `a lower bound of ${lower_bound.value}`;
  return [
    `it says that optimality is ${proven_optimal ? '' : 'not '}proven, with a makespan of ${makespan} and ${bound}`,
  ];
}

/**
 * The problems of the bounds that a certificate claims: a bound whose argument gives a different value when recomputed,
 * a bound that the literature does not contain, or bounds that contradict each other or the proven and known ones. One
 * line for each.
 *
 * @param proofs every lower bound that can be computed here
 */
function checkBounds(
  { lower_bound: lower, upper_bound: upper }: Certificate,
  proofs: readonly LowerBound[],
  { lowerBound: knownLower, upperBound: knownUpper }: KnownBounds,
): string[] {
  const problems: string[] = [];
  const refuse = (isFalse: boolean, problem: () => string): void => {
    if (isFalse) problems.push(problem());
  };
  if (lower !== null) {
    const proof = proofs.find(({ source }) => source === lower.source);
    refuse(
      proof !== undefined && proof.value !== lower.value,
      () => `the lower bound by ${lower.source} is ${proof?.value}, not ${lower.value}`,
    );
    refuse(
      isMisquoted(lower, knownLower, (claimed, known) => claimed <= known),
      () => `the lower bound of ${lower.value} (${lower.source}) is not ${describe(knownLower)}`,
    );
    const least = [upper, knownUpper].find((bound) => bound && lower.value > bound.value);
    refuse(
      least !== undefined,
      () => `the lower bound of ${lower.value} is above the upper bound of ${describe(least)}`,
    );
  }
  if (upper !== null) {
    refuse(
      isMisquoted(upper, knownUpper, (claimed, known) => claimed >= known),
      () => `the upper bound of ${upper.value} (${upper.source}) is not ${describe(knownUpper)}`,
    );
    const proven = [...proofs, ...(knownLower === undefined ? [] : [knownLower])];
    const most = proven.reduce((a, b) => (b.value > a.value ? b : a));
    refuse(
      upper.value < most.value,
      () => `the upper bound of ${upper.value} is below the lower bound of ${describe(most)}`,
    );
  }
  return problems;
}

/**
 * Whether a bound that is attributed to the literature differs from the known one. Earlier literature may have had a
 * weaker bound, but not a better one.
 */
function isMisquoted(
  claimed: ProvenBound,
  known: ProvenBound | undefined,
  isNoBetter: (claimed: number, known: number) => boolean,
): boolean {
  if (known === undefined || !/^literature\b/i.test(claimed.source)) return false;
  if (claimed.source === known.source) return claimed.value !== known.value;
  return !isNoBetter(claimed.value, known.value);
}

function describe(bound: ProvenBound | null | undefined): string {
  return `${bound?.value} (${bound?.source})`;
}
