import { systemClock } from '@alas-jssp/core/clock';
import { CheckBox, DataTable, routeTo, type TableColumn } from 'alas-jssp/page/parts';
import { useRef, useState } from 'preact/hooks';
import type { ImportAnswer } from '../../../api/import-schemas.js';
import type { ShopSummary } from '../../../api/shop-schemas.js';
import { type AnswerProblem, ask, newKey } from '../live/requests.js';
import { asProblem } from '../live/shop-feed.js';
import { TextField } from '../parts/fields.js';
import { ProblemBox } from '../parts/problem-box.js';
import { texts } from '../texts.js';
import { type ImportedOperation, machinesOf, partsOf } from './shop-parts.js';

interface Props {
  readonly answer: ImportAnswer;
  /** Whether the answer is for the current files and settings. */
  readonly isCurrent: boolean;
  /** The id of the new shop. */
  readonly id: string;
  readonly onId: (id: string) => void;
}

/** The orders and columns that the service read, shown before the shop is opened. */
export function ImportPreview(props: Props) {
  const { answer } = props;
  const words = texts.importing;
  return (
    <section class="preview">
      <h2>{words.preview}</h2>
      <p>
        <strong>{words.size(answer.orders, answer.operations, answer.machines)}</strong>
      </p>
      <ul class="remarks">
        {answer.encodings.map(({ file, encoding }) => (
          <li key={file}>{words.encodings(file, encoding)}</li>
        ))}
        {partsOf(answer).map((part) => (
          <li key={part}>{part}</li>
        ))}
        {answer.shifts_until !== null && <li>{words.shiftsUntil(dateOf(answer.shifts_until))}</li>}
        {answer.overdue.length > 0 && <li>{words.overdue(answer.overdue.join(', '))}</li>}
        {answer.kept.length > 0 && (
          <li>{words.kept(answer.kept.map((one) => words.fields[one] ?? one).join(', '))}</li>
        )}
      </ul>
      {answer.unknown.length > 0 && (
        <div class="problem">
          <strong>{words.unknown}</strong>
          <ul>
            {answer.unknown.map(({ file, heading, reason }) => (
              <li key={`${file} ${heading}`}>
                {words.dropped(words.fields[heading] ?? heading, file, words.reasons[reason])}
              </li>
            ))}
          </ul>
        </div>
      )}
      <OrderTable answer={answer} />
      <OpenForm {...props} />
    </section>
  );
}

/** An order of the imported instance. */
interface ImportedOrder {
  readonly name?: string;
  readonly due?: string | number;
  readonly details?: Readonly<Record<string, string>>;
  readonly operations: readonly ImportedOperation[];
}

/** The imported orders; at first only some of them. */
function OrderTable({ answer }: Pick<Props, 'answer'>) {
  const words = texts.importing;
  const { table, about } = words;
  const orders = (answer.instance.jobs as readonly ImportedOrder[]).map((order, i) => ({
    order,
    i,
  }));
  const headings = [...new Set(orders.flatMap(({ order }) => Object.keys(order.details ?? {})))];
  const columns: TableColumn<(typeof orders)[number]>[] = [
    {
      key: 'order',
      header: table.order,
      about: about.order,
      value: ({ order }) => order.name ?? '',
    },
    {
      key: 'due',
      header: table.due,
      about: about.due,
      value: ({ order }) => (order.due === undefined ? null : dateOf(order.due)),
    },
    {
      key: 'operations',
      header: table.operations,
      about: about.operations,
      value: ({ order }) => order.operations.length,
      minor: true,
    },
    {
      key: 'machines',
      header: table.machines,
      about: about.machines,
      value: ({ order }) => order.operations.map(machinesOf).join(' → '),
      minor: true,
    },
    ...headings.map((heading) => ({
      key: `detail ${heading}`,
      header: texts.orders.details[heading] ?? heading,
      about: about.detail(heading),
      value: ({ order }: { order: ImportedOrder }) => order.details?.[heading] ?? null,
      minor: true,
    })),
  ];
  return (
    <DataTable
      caption={words.caption(Math.min(MOST, orders.length), orders.length)}
      columns={columns}
      rows={orders}
      id={({ i }) => String(i)}
      most={MOST}
      texts={texts.table}
    />
  );
}

/** The number of orders shown at first. */
const MOST = 10;

/** Milliseconds before now from which an earlier beginning of time gets a warning. */
const LONG_AGO = 900_000;

/** The form that names the shop and opens it. */
function OpenForm({ answer, isCurrent, id, onId }: Props) {
  const words = texts.importing;
  const [hasClock, setClock] = useState(true);
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const key = useRef(newKey());
  const scale = answer.instance.time_scale as
    | { readonly epoch: string; readonly unit: number }
    | undefined;
  const begins = scale === undefined ? null : Date.parse(scale.epoch);
  const now = systemClock.now();
  const open = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const isTimed = hasClock && begins !== null && begins <= now;
    const clock = isTimed
      ? { clock: { speed: 1, start: unitsAt(now, begins, scale?.unit ?? 60) } }
      : {};
    try {
      const body = { id, instance: answer.instance, ...clock };
      await ask<ShopSummary>('shops', { method: 'POST', body, key: key.current });
      location.hash = routeTo('shop', id);
    } catch (error) {
      const found = asProblem(error);
      if (found.status !== 0) key.current = newKey();
      setProblem(found);
      setBusy(false);
    }
  };
  return (
    <form class="open-shop" onSubmit={open}>
      <TextField label={words.name} type="text" value={id} most={100} onChange={onId} />
      {begins !== null && begins <= now && (
        <CheckBox class="tick-box" checked={hasClock} onChange={setClock}>
          {words.clock}
        </CheckBox>
      )}
      {begins !== null && begins > now && <p class="quiet">{words.later}</p>}
      {begins !== null && hasClock && now - begins > LONG_AGO && (
        <p class="warning">{words.past}</p>
      )}
      {problem !== null && <ProblemBox problem={problem} />}
      <button type="submit" class="main-button" disabled={isBusy || !isCurrent || id === ''}>
        {words.open}
      </button>
    </form>
  );
}

/** The time of a shop at a wall-clock time. */
function unitsAt(moment: number, epoch: number, unit: number): number {
  return Math.max(0, Math.floor((moment - epoch) / (unit * 1000)));
}

/** Formats a time of an answer: `2026-11-24 14:10`. */
function dateOf(time: string | number): string {
  return typeof time === 'number' ? String(time) : time.slice(0, 16).replace('T', ' ');
}
