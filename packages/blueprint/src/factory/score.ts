import type { ScoreTerm } from './agent-file.js';
import type { AgentSpec } from './agent-spec.js';
import { type KeyMapping, propertiesOf } from './key-mapping.js';
import type { AgentOffer } from './offers.js';
import { similarityOf } from './wording.js';

/** The weights of the terms of S(α, I) (ALAS, C.2.2, equation 1). Their sum is 1. */
export const SCORE_WEIGHTS = {
  capability: 0.35,
  input: 0.2,
  output: 0.2,
  access: 0.1,
  provenance: 0.1,
  efficiency: 0.05,
} as const;

/** The keys of an offer that match those of a specification. */
export interface OfferFit {
  /** The keys of the offer's input, and those of the specification that supply them. */
  readonly input: KeyMapping;
  /** The keys of the specification's output, and those of the offer that supply them. */
  readonly output: KeyMapping;
}

/** The terms of the score S(α, I) of an offer for a specification, each from 0 to 1. */
export function scoreTerms(spec: AgentSpec, offer: AgentOffer, fit: OfferFit): ScoreTerm[] {
  const values: Record<keyof typeof SCORE_WEIGHTS, number> = {
    capability: capabilityTerm(spec, offer),
    input: coverage(fit.input),
    output: coverage(fit.output, propertiesOf(spec.output)),
    access: spec.access === offer.access ? 1 : 0.5,
    provenance: offer.specification !== null && offer.tests.length === 0 ? 0.5 : 1,
    efficiency: efficiencyTerm(offer),
  };
  return Object.entries(SCORE_WEIGHTS).map(([name, weight]) => ({
    name,
    weight,
    value: round(values[name as keyof typeof SCORE_WEIGHTS]),
  }));
}

/** S(α, I): the sum of the terms by their weights. */
export function scoreOf(terms: readonly ScoreTerm[]): number {
  return round(terms.reduce((sum, { weight, value }) => sum + weight * value, 0));
}

/** A name that the specification gives decides; else the wordings are compared. */
function capabilityTerm({ tool, does }: AgentSpec, { name, description }: AgentOffer): number {
  if (tool === name) return 1;
  return similarityOf(`${does} ${tool ?? ''}`, `${name} ${description}`);
}

/** The share of keys that are supplied; keys that supply nothing count half. */
function coverage({ keys, missing, unused }: KeyMapping, wanted?: object): number {
  const supplied = Object.keys(keys).length;
  const lost = wanted === undefined ? unused.length / 2 : 0;
  const all = supplied + missing.length + lost;
  return all === 0 ? 1 : supplied / all;
}

function efficiencyTerm({ implementation, idempotent, access }: AgentOffer): number {
  if (implementation.kind === 'prompt') return 0.5;
  return idempotent || access === 'read' ? 1 : 0.5;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
