import type { RelevantContext } from './relevant-context.js';

/** A context as text for a prompt; empty parts are omitted. */
export function renderContext(context: RelevantContext): string {
  const { goals, constraints, operations, entities, satisfied, unresolved, omitted } = context;
  const statements = (list: RelevantContext['goals']) =>
    list.map(({ id, text }) => `- ${id}: ${text}`);
  const parts: [string, readonly string[]][] = [
    ['Goals', statements(goals)],
    ['Constraints', statements(constraints)],
    ['Earlier operations', operations.map((one) => `- ${JSON.stringify(one)}`)],
    ['Entities', entities.map((one) => `- ${JSON.stringify(one)}`)],
    ['Satisfied dependencies', satisfied.map((one) => `- ${JSON.stringify(one)}`)],
    ['Unresolved dependencies', unresolved.map((one) => `- ${JSON.stringify(one)}`)],
  ];
  const texts = parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${title}:\n${lines.join('\n')}`);
  if (omitted > 0) texts.push(`(${omitted} further facts do not fit into this context.)`);
  return texts.join('\n\n');
}
