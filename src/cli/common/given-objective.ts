import type { Objective } from '../../jssp/objectives.js';
import { changePolicy, type OpenPolicy } from '../../lcrp/policy/policy.js';

/** The policy with the objective of `--objective`; unchanged without one. */
export function withGivenObjective(policy: OpenPolicy, objective?: Objective): OpenPolicy {
  return objective === undefined ? policy : changePolicy(policy, { objective });
}
