/**
 * The hint for a file of a later version of a format than this package reads; undefined if it is no such file.
 *
 * @param found the value of its `schema` key, such as `alas-jssp/plan@2`
 * @param known what this version reads, such as `alas-jssp/plan@1`
 */
export function laterVersionHint(found: unknown, known: readonly unknown[]): string | undefined {
  const format = parse(found);
  if (format === undefined) return undefined;
  const versions = known.flatMap((name) => {
    const each = parse(name);
    return each?.name === format.name ? [each.version] : [];
  });
  const latest = Math.max(...versions);
  if (versions.length === 0 || format.version <= latest) return undefined;
  return `this alas-jssp reads version ${versions.join(' and ')}: update it`;
}

function parse(text: unknown): { readonly name: string; readonly version: number } | undefined {
  const match = typeof text === 'string' ? /^([\w-]+\/[\w-]+)@(\d{1,9})$/.exec(text) : null;
  return match === null ? undefined : { name: match[1], version: Number(match[2]) };
}
