import type { Mapping } from '@alas-jssp/agents';
import type { AgentFile, ScoreTerm } from './agent-file.js';
import { type AgentSpec, specHash } from './agent-spec.js';
import { mapKeys } from './key-mapping.js';
import type { AgentOffer, AgentRegistry } from './offers.js';
import { type OfferFit, scoreOf, scoreTerms } from './score.js';

/** An offer that can do the work of a specification. */
export interface AgentCandidate {
  readonly registry: string;
  readonly offer: AgentOffer;
  readonly match: 'exact' | 'approximate';
  /** S(α, I). */
  readonly score: number;
  readonly terms: readonly ScoreTerm[];
  /** The sources of the offer's input, if its keys have other names. */
  readonly mapping?: Mapping | undefined;
}

/** The least score and the least similarity of words of an approximate match. */
const LEAST_SCORE = 0.6;
const LEAST_SIMILARITY = 0.25;

/**
 * The offers of registries that can do the work of a specification, best first: exact matches before approximate ones.
 *
 * An exact match has the name that the specification gives (or, in a library, its hash), equal access and schemas that
 * fit. An approximate one is similar in words, and its keys can be supplied by renaming those of the specification.
 * Never a candidate: an offer whose access is stronger than the specification's, or whose capability the role lacks;
 * prompts and code of a library that were made for another specification, because similar words do not mean the same.
 */
export function findCandidates(
  spec: AgentSpec,
  registries: readonly AgentRegistry[],
): readonly AgentCandidate[] {
  const hash = specHash(spec);
  return registries
    .flatMap(({ name, offers }) =>
      offers.flatMap((offer) => {
        const candidate = judgeOffer(spec, hash, name, offer);
        return candidate === undefined ? [] : [candidate];
      }),
    )
    .sort((a, b) => rank(a) - rank(b) || b.score - a.score || compare(a.offer.name, b.offer.name));
}

function judgeOffer(
  spec: AgentSpec,
  hash: string,
  registry: string,
  offer: AgentOffer,
): AgentCandidate | undefined {
  if (!isPermitted(spec, offer)) return undefined;
  const isMade = offer.specification !== null;
  if (isMade !== (spec.work !== 'tool') || (isMade && offer.specification !== hash))
    return undefined;
  const fit: OfferFit = {
    input: mapKeys(spec.input, offer.input),
    output: mapKeys(offer.output, spec.output),
  };
  if (fit.input.missing.length > 0 || fit.output.missing.length > 0) return undefined;
  const terms = scoreTerms(spec, offer, fit);
  const score = scoreOf(terms);
  const common = { registry, offer, score, terms };
  const isNamed = isMade || spec.tool === offer.name;
  if (isNamed && fit.input.isExact && sameKeys(fit.output.keys) && spec.access === offer.access) {
    return { ...common, match: 'exact' };
  }
  const similarity = terms.find(({ name }) => name === 'capability')?.value ?? 0;
  if (!isNamed && (similarity < LEAST_SIMILARITY || score < LEAST_SCORE)) return undefined;
  if (fit.input.unused.length > 0 || !sameKeys(fit.output.keys)) return undefined;
  return { ...common, match: 'approximate', ...mappingOf(fit.input.keys) };
}

/** Others read the output by its keys: those cannot be renamed. */
function sameKeys(keys: Readonly<Record<string, string>>): boolean {
  return Object.entries(keys).every(([key, source]) => key === source);
}

function mappingOf(keys: Readonly<Record<string, string>>): { mapping?: Mapping } {
  if (sameKeys(keys)) return {};
  return {
    mapping: Object.fromEntries(
      Object.entries(keys).map(([key, source]) => [key, `input.${source}`]),
    ),
  };
}

/** Accesses that an agent may have for each access that is asked: none is stronger, and none does too little. */
const PERMITTED: Readonly<Record<AgentFile['access'], readonly AgentFile['access'][]>> = {
  compute: ['compute', 'decide', 'read'],
  decide: ['compute', 'decide', 'read'],
  read: ['read'],
  change: ['change'],
  irreversible: ['irreversible', 'change'],
};

/** Whether the role may call an offer, and the specification asks for no weaker access. */
export function isPermitted(spec: AgentSpec, { access, capability }: AgentOffer): boolean {
  if (!PERMITTED[spec.access].includes(access)) return false;
  return capability === null || spec.capabilities.includes(capability);
}

function rank({ match }: AgentCandidate): number {
  return match === 'exact' ? 0 : 1;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
