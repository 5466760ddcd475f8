/** Prints a table with columns as wide as what stands in them. */
export function printTable(head, rows) {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  for (const row of [head, rule, ...rows]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** What became of the records of a kind: `-` if there never was one, or their states. */
export function fateOf(service, kind) {
  return (
    service
      .recordsOf(kind)
      .map(({ state }) => state)
      .join(', ') || '-'
  );
}
