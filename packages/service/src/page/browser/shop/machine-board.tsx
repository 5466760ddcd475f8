import type { ReportSubject } from '../forms/report-dialog.js';
import { type MachineNow, machinesAt } from '../live/board.js';
import type { FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { texts } from '../texts.js';
import { BoardTable, NEXT } from './board-table.js';

interface Props {
  readonly shop: FollowedShop;
  readonly now: number;
  readonly words: ShopWords;
  /** Opens a report; null if reports are not possible. */
  readonly report: ((about: ReportSubject) => void) | null;
}

/** The machines, with their running and next operations and their downtimes. */
export function MachineBoard({ shop, now, words, report }: Props) {
  const { state, followed, plan, proposed } = shop;
  const facts = proposed ?? followed;
  const { board } = texts;
  const machines = machinesAt(followed, plan, now, NEXT, facts, state.breakdowns);
  const rows = machines.map((machine) => ({
    id: machine.machine,
    name: words.machine(machine.machine),
    status: machine.status,
    now: <NowText machine={machine} shop={shop} words={words} />,
    next: machine.next.map((op) => board.at(words.time(followed.start[op]), words.operation(op))),
    action: report && <MachineReport machine={machine} words={words} report={report} />,
  }));
  return (
    <BoardTable
      heading={board.heading}
      title={board.machine}
      rows={rows}
      hasActions={report !== null}
    />
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
