import type { ReportSubject } from '../forms/report-dialog.js';
import { type MachineNow, machinesAt } from '../live/board.js';
import type { FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { texts } from '../texts.js';

interface Props {
  readonly shop: FollowedShop;
  readonly now: number;
  readonly words: ShopWords;
  /** Opens a report; null if reports are not possible. */
  readonly report: ((about: ReportSubject) => void) | null;
}

/** The number of next operations per machine. */
const NEXT = 2;

/** The machines, with their running and next operations and their downtimes. */
export function MachineBoard({ shop, now, words, report }: Props) {
  const { state, followed, plan, proposed } = shop;
  const facts = proposed ?? followed;
  const { board } = texts;
  return (
    <section class="board">
      <h2>{board.heading}</h2>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">{board.machine}</th>
              <th scope="col">{board.now}</th>
              <th scope="col">{board.next}</th>
              {report !== null && <td />}
            </tr>
          </thead>
          <tbody>
            {machinesAt(followed, plan, now, NEXT, facts, state.breakdowns).map((machine) => (
              <tr key={machine.machine} class={machine.status}>
                <th scope="row">{words.machine(machine.machine)}</th>
                <td>
                  <NowText machine={machine} shop={shop} words={words} />
                </td>
                <td>
                  {machine.next.map((op) => (
                    <div key={op}>
                      {board.at(words.time(followed.start[op]), words.operation(op))}
                    </div>
                  ))}
                  {machine.next.length === 0 && <span class="quiet">{board.done}</span>}
                </td>
                {report !== null && (
                  <td class="action">
                    <MachineReport machine={machine} words={words} report={report} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface NowProps {
  readonly machine: MachineNow;
  readonly shop: FollowedShop;
  readonly words: ShopWords;
}

function NowText({ machine: { status, running, until }, shop, words }: NowProps) {
  const { board } = texts;
  if (until !== null && (status === 'down' || status === 'closed')) {
    return (
      <>
        <span class={`status ${status}`}>{board.until(status, words.time(until))}</span>
        {running >= 0 && <div class="quiet">{board.waits(words.operation(running))}</div>}
      </>
    );
  }
  if (running < 0) return <span class="status idle">{board.status.idle}</span>;
  return (
    <span class="status running">
      {board.runs(words.operation(running), words.time(shop.followed.end[running]))}
    </span>
  );
}

interface ReportProps {
  readonly machine: MachineNow;
  readonly words: ShopWords;
  readonly report: (about: ReportSubject) => void;
}

function MachineReport({ machine: { machine, status }, words, report }: ReportProps) {
  const { board } = texts;
  const isDown = status === 'down';
  const name = words.machine(machine);
  return (
    <button
      type="button"
      aria-label={isDown ? board.back(name) : board.broken(name)}
      onClick={() => report({ kind: isDown ? 'restored' : 'breakdown', machine })}
    >
      {isDown ? board.backShort : board.brokenShort}
    </button>
  );
}
