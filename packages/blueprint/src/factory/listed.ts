/** Names in a row, for messages. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
