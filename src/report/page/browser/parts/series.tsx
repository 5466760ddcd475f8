/** Number of colours of series; dashes distinguish the rest. */
const COLOURS = 8;

const DASHES = ['', '7 3', '2 3', '9 3 2 3'];

/** Look of the n-th line of a chart. */
export interface SeriesLook {
  readonly stroke: string;
  readonly dash: string;
}

/** The look of each name, in their order: distinguished by colour first, then also by dashes. */
export function looksOf(names: readonly string[]): ReadonlyMap<string, SeriesLook> {
  return new Map(
    names.map((name, index) => [
      name,
      {
        stroke: `var(--series-${index % COLOURS})`,
        // Neighbours differ in colour and dash, for readers who distinguish few colours.
        dash: DASHES[(index + Math.floor(index / COLOURS)) % DASHES.length],
      },
    ]),
  );
}

/** Names of series with samples of their lines. */
export function Legend({ looks }: { looks: ReadonlyMap<string, SeriesLook> }) {
  return (
    <ul class="legend">
      {Array.from(looks, ([name, { stroke, dash }]) => (
        <li key={name}>
          <svg width="34" height="10" aria-hidden="true">
            <line
              x1="1"
              y1="5"
              x2="33"
              y2="5"
              stroke={stroke}
              stroke-width="2.5"
              stroke-dasharray={dash}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
