import { AlasError } from '@alas-jssp/core/errors';
import { createRandom, deriveSeedBy } from '@alas-jssp/core/random';
import type { Json } from '../log/entry.js';
import { injectionId } from './fold.js';
import type { Fault, Faults, Maybe } from './host.js';
import type { RunState } from './state.js';

/** A rule that selects the attempts that a fault affects. */
type FaultRule = {
  /** The rule's name in the log. */
  readonly label: string;
  /** A path of nodes; `*` matches anything: `repair[*]/propose`. */
  readonly node: string;
  /** The number of the affected attempt, from 1. Default: all. */
  readonly attempt?: number | undefined;
  readonly probability: number;
} & (
  | { readonly kind: 'failure'; readonly code: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'slow'; readonly seconds: number }
  | {
      readonly kind: 'wrong-output';
      readonly value?: unknown;
      readonly patch?: Readonly<Record<string, unknown>> | undefined;
    }
  | { readonly kind: 'violation'; readonly code: string }
  | { readonly kind: 'crash'; readonly when: 'before' | 'after' }
);

/** Rules of faults, and the seed of their probabilities. */
export interface FaultRules {
  readonly seed: number;
  readonly rules: readonly FaultRule[];
}

/** Breaks an output on purpose, by the code of the violation. */
type Violate = (code: string, output: Json) => Maybe<Json>;

/**
 * Makes faults of rules. The affected attempts depend on the seeds, the label, the node and the
 * attempt alone.
 *
 * @param digest SHA-256 (hex) of a text
 */
export function makeFaults(
  { seed, rules }: FaultRules,
  digest: (text: string) => string,
  violate: Violate,
): Faults {
  const all = rules.map((one) => ({ one, pattern: patternOf(one.node) }));
  return {
    find(state, nodeId, attempt) {
      const hit = all.find(({ one, pattern }) => {
        if (!pattern.test(nodeId) || (one.attempt ?? attempt) !== attempt) return false;
        if (one.kind === 'crash' && wasInjected(state, one.label, nodeId, attempt)) return false;
        if (one.probability === 1) return true;
        const parts = ['inject', seed, state.seed, one.label, nodeId, attempt];
        return createRandom(deriveSeedBy(digest, parts)).next() < one.probability;
      });
      return hit === undefined ? undefined : makeFault(hit.one, nodeId, violate);
    },
  };
}

function makeFault(rule: FaultRule, nodeId: string, violate: Violate): Fault {
  return {
    rule,
    crash: () => new AlasError('InjectedCrash', `${rule.label} interrupts the run`, nodeId),
    spoil: (output) => {
      if (rule.kind === 'violation') return violate(rule.code, output);
      if (rule.kind !== 'wrong-output') return output;
      if (rule.patch === undefined) return (rule.value ?? null) as Json;
      return { ...(output as Record<string, Json>), ...(rule.patch as Record<string, Json>) };
    },
  };
}

function patternOf(node: string): RegExp {
  const parts = node.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** Whether a fault hit an attempt, or one before it: an interrupted attempt is not made again. */
function wasInjected({ injected }: RunState, label: string, nodeId: string, attempt: number) {
  for (let k = 1; k <= attempt; k++) if (injected.has(injectionId(label, nodeId, k))) return true;
  return false;
}
