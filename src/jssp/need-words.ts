import type { Instance } from './instance.js';
import { english, type Sentences } from './sentences/english.js';
import { modeDuration, SETUP_PHASE, WORK_PHASE } from './shop-parts.js';
import { wordsOf } from './words.js';

/** The operators and tools of a mode in one of its phases: `Ana`, `2 × setters`; none for a mode without duration. */
export function needWords(
  instance: Instance,
  mode: number,
  phase: number,
  sentences: Sentences = english,
): string[] {
  const { resources } = instance;
  if (resources === null || modeDuration(instance, mode) === 0) return [];
  const { needOffset, needResource, needAmount, needPhase } = resources;
  const words = wordsOf(instance, sentences);
  const found: string[] = [];
  for (let i = needOffset[mode]; i < needOffset[mode + 1]; i++) {
    if (needPhase[i] !== phase) continue;
    const name = words.resource(needResource[i]);
    found.push(needAmount[i] === 1 ? name : `${needAmount[i]} × ${name}`);
  }
  return found;
}

/** The operators and tools of two modes that are not needs of both, in any phase. */
export interface ChangedNeeds {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The needs in which two modes differ, without those of both; both lists are empty if there are none. */
export function changedNeeds(
  instance: Instance,
  from: number,
  to: number,
  sentences: Sentences = english,
): ChangedNeeds {
  const allOf = (mode: number) => {
    const phases = [WORK_PHASE, SETUP_PHASE].map((phase) =>
      needWords(instance, mode, phase, sentences),
    );
    return [...new Set(phases.flat())];
  };
  const [before, after] = [allOf(from), allOf(to)];
  return {
    from: before.filter((name) => !after.includes(name)),
    to: after.filter((name) => !before.includes(name)),
  };
}
