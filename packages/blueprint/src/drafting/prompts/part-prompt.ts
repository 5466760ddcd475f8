import { InputError } from '@alas-jssp/core/errors';
import type { PartName } from '../part.js';
import { familyOfPart } from '../part-schemas.js';
import { DETAIL_PROMPTS } from './detail-prompts.js';
import { OUTLINE_PROMPTS } from './outline-prompts.js';
import {
  json,
  type PartPrompt,
  PLANNER_RULES,
  type PromptFacts,
  section,
  type WritePrompt,
} from './prompt.js';
import { SPECIFICATION_PROMPTS } from './specification-prompts.js';

const PROMPTS: Readonly<Record<string, WritePrompt>> = {
  ...SPECIFICATION_PROMPTS,
  ...OUTLINE_PROMPTS,
  ...DETAIL_PROMPTS,
};

/**
 * The question for a part of a specification or a template: the instruction, the facts on which the part depends, and a
 * tiny example. The schema of the answer is added when it is asked.
 *
 * @throws InputError `unknown_part`
 */
export function promptOfPart(part: PartName, facts: PromptFacts): PartPrompt {
  const { family } = familyOfPart(part);
  const write = Object.hasOwn(PROMPTS, family) ? PROMPTS[family] : undefined;
  if (write === undefined) {
    const known = Object.keys(PROMPTS).join(', ');
    throw new InputError('unknown_part', `there is no prompt for ${part}`, `name one of ${known}`);
  }
  return {
    system: PLANNER_RULES,
    prompt: `${write(facts, part)}${changeSection(facts, part)}`.trim(),
  };
}

/** Of a change: the answer before it, of which everything stays that the change does not touch. */
function changeSection({ change }: PromptFacts, part: PartName): string {
  if (change === undefined) return '';
  const before = Object.hasOwn(change.before, part) ? json(change.before[part]) : '';
  return (
    section('Change of the process', change.words) +
    section(
      'Your answer before the change: keep all ids and all of it that the change does not touch',
      before,
    )
  );
}
