/** `Lathe 1 → Lathe 2`, or the machine if it is the same. */
export function machineChange(machine: string, other: string | undefined): string {
  return other === undefined || other === machine ? machine : `${machine} → ${other}`;
}

/** `Ana → Ben`; empty if nothing differs. */
export function needsChange(from: readonly string[] = [], to: readonly string[] = []): string {
  if (from.length + to.length === 0) return '';
  return [from, to].map((names) => names.join(' + ') || 'none').join(' → ');
}
