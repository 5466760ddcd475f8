import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import { policy } from '../../lcrp/policy/policy-schema.js';

/** A policy under which events are tried out. */
export interface WhatIf {
  readonly name: string;
  readonly policy: OpenPolicy;
}

/** Seconds that a search over all that has not started may take. */
const SEARCH_SECONDS = 2;

const REPAIR = ['lcrp', 'affected', 'right-shift'];

/**
 * The rows of a dry run that names no policy: the policy of the shop, and what a foreman may do instead. All but
 * `due-dates` have the objective of the shop's policy.
 *
 * @param own the policy of the shop
 * @param hasDueDates whether a job has a due date after the events
 */
export function whatIfs(own: OpenPolicy, hasDueDates: boolean): WhatIf[] {
  const { objective } = own;
  const tardiness = 'total-weighted-tardiness';
  const dates: WhatIf = {
    name: 'due-dates',
    policy: policy({ objective: tardiness, methods: REPAIR, budget: { seconds: SEARCH_SECONDS } }),
  };
  return [
    { name: 'shop', policy: own },
    ...(hasDueDates ? [dates] : []),
    {
      name: 'few-moves',
      policy: policy('high-stability', { objective, methods: ['postpone', ...REPAIR] }),
    },
    { name: 'do-nothing', policy: policy({ objective, methods: ['affected', 'right-shift'] }) },
    {
      name: 'from-scratch',
      policy: policy({ objective, methods: ['recompute'], budget: { seconds: SEARCH_SECONDS } }),
    },
  ];
}
