/**
 * The candidates closest to a word by edit distance (Levenshtein 1966), closest first, for messages of the form "did
 * you mean …".
 *
 * @returns at most `limit` candidates, each with at least half of its letters in common
 */
export function nearestNames(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = word.toLowerCase();
  return Array.from(candidates, (candidate) => ({
    candidate,
    distance: editDistance(wanted, candidate.toLowerCase()),
  }))
    .filter(({ candidate, distance }) => distance <= candidate.length / 2)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** The hint for an unknown name: the closest names, or all names if none is close. */
export function suggestNames(word: string, candidates: readonly string[]): string {
  const nearest = nearestNames(word, candidates);
  return nearest.length > 0
    ? `did you mean ${nearest.join(', ')}?`
    : `use one of ${candidates.join(', ')}`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      const substituted = row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1);
      next[k] = Math.min(substituted, row[k] + 1, next[k - 1] + 1);
    }
    row = next;
  }
  return row[b.length];
}
