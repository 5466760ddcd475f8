/** The languages in which guards are written. */
export const GUARD_LANGUAGES = ['jsonata', 'jsonpath'] as const;

export type GuardLanguage = (typeof GUARD_LANGUAGES)[number];

/**
 * A guard as a condition: `$input` (and `$output` of a loop) are bound around it. A guard with a
 * missing value does not hold.
 *
 * @param bindings expressions by name of the variable
 */
export function guardCondition(bindings: Readonly<Record<string, string>>, guard: string): string {
  const bound = Object.entries(bindings).map(([name, value]) => `$${name} := ${value}; `);
  return `{% (${bound.join('')}$holds := (${guard}); $exists($holds) ? $holds : false) %}`;
}
