import type { Plan } from '../plan.js';

/** A plan from a file, and the instance name in the file. */
export interface PlanFile {
  plan: Plan;
  instance?: string;
  /** The parts of the file that the plan does not have, a sentence each. */
  notes?: readonly string[];
}
