import { useState } from 'preact/hooks';
import { formatSeconds } from '../../../format.js';
import type { LogEntryView, LogTone } from '../../views/page-data.js';
import { DataTable, type TableColumn } from '../parts/data-table.js';
import { TONES } from './tones.js';

interface Props {
  readonly entries: readonly LogEntryView[];
  /** Node whose entries are shown; empty for all. */
  readonly node: string;
  readonly choose: (node: string) => void;
}

const columns: readonly TableColumn<LogEntryView>[] = [
  {
    key: 'version',
    header: 'no.',
    about: 'Place of the entry in the log of its run',
    value: ({ version }) => version,
  },
  {
    key: 'at',
    header: 'after',
    about: 'Time since the first entry',
    value: ({ at }) => at,
    show: ({ at }) => formatSeconds(at),
  },
  {
    key: 'node',
    header: 'node',
    about: 'Path of the node in the workflow; empty for the run itself',
    value: ({ node }) => node,
    show: ({ node }) => node || <span class="quiet">the run</span>,
  },
  {
    key: 'words',
    header: 'event',
    about: 'The entry in words; open it for all that it says',
    value: ({ type }) => type,
    show: ({ type, tone, words, payload }) => (
      <details class="entry">
        <summary>
          <span class={`tone ${tone}`} aria-hidden="true">
            {TONES[tone].sign}
          </span>
          {words} <span class="quiet">{type}</span>
        </summary>
        <pre>{payload}</pre>
      </details>
    ),
  },
  {
    key: 'who',
    header: 'who',
    about: 'The person, handler or process that wrote it, if known',
    value: ({ who }) => who,
    show: ({ who }) => who ?? '',
    minor: true,
  },
];

/** The entries of a run, with filters. */
export function EntryTable({ entries, node, choose }: Props) {
  const [text, setText] = useState('');
  const [tone, setTone] = useState<LogTone | ''>('');
  const rows = entries.filter(
    (entry) =>
      (node === '' || entry.node === node || entry.node.startsWith(`${node}/`)) &&
      (tone === '' || entry.tone === tone) &&
      `${entry.node}\n${entry.words}\n${entry.type}\n${entry.who ?? ''}\n${entry.payload}`
        .toLowerCase()
        .includes(text.trim().toLowerCase()),
  );
  return (
    <section>
      <h3>Entries</h3>
      <form class="toolbar" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search{' '}
          <input
            type="search"
            value={text}
            onInput={({ currentTarget: { value } }) => setText(value)}
          />
        </label>
        <label>
          Kind{' '}
          <select
            value={tone}
            onChange={({ currentTarget: { value } }) => setTone(value as LogTone | '')}
          >
            <option value="">all</option>
            {(Object.keys(TONES) as LogTone[])
              .filter((one) => one !== 'plain')
              .map((one) => (
                <option key={one} value={one}>
                  {TONES[one].words}
                </option>
              ))}
          </select>
        </label>
        {node !== '' && (
          <button type="button" onClick={() => choose('')}>
            only {node}: show all nodes
          </button>
        )}
        <span aria-live="polite" class="quiet">
          {rows.length} of {entries.length} entries
        </span>
      </form>
      <DataTable
        caption="Entries of the run"
        columns={columns}
        rows={rows}
        id={({ version }) => String(version)}
        most={200}
      />
    </section>
  );
}
