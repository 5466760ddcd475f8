/** Throws if what was read back differs from what was written. */
export function requireSame(first: unknown, second: unknown, what: string): void {
  if (first === second) return;
  const [a, b] = [String(first), String(second)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const part = (one: string) => JSON.stringify(one.slice(Math.max(0, at - 20), at + 60));
  throw new Error(`${what} is not read back as written: ${part(a)} became ${part(b)}`);
}
