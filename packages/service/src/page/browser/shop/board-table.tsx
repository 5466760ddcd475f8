import type { ComponentChildren } from 'preact';
import { texts } from '../texts.js';

/** The number of next operations of a machine or an operator. */
export const NEXT = 2;

/** A machine or an operator, with what it does. */
interface BoardRow {
  readonly id: number;
  readonly name: string;
  readonly status?: string;
  readonly now: ComponentChildren;
  /** The next operations with their times. */
  readonly next: readonly string[];
  /** The button of a report; null if reports are not possible. */
  readonly action: ComponentChildren;
}

interface Props {
  readonly heading: string;
  /** The title of the column of names. */
  readonly title: string;
  readonly rows: readonly BoardRow[];
  readonly hasActions: boolean;
}

/** A list of machines or operators, with their current and next work. */
export function BoardTable({ heading, title, rows, hasActions }: Props) {
  const { board } = texts;
  return (
    <section class="board">
      <h2>{heading}</h2>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              <th scope="col">{board.now}</th>
              <th scope="col">{board.next}</th>
              {hasActions && <td class="action corner" />}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, status, now, next, action }) => (
              <tr key={id} class={status}>
                <th scope="row">{name}</th>
                <td>{now}</td>
                <td>
                  {next.map((operation) => (
                    <div key={operation}>{operation}</div>
                  ))}
                  {next.length === 0 && <span class="quiet">{board.done}</span>}
                </td>
                {hasActions && <td class="action">{action}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
