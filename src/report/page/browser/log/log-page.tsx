import { useState } from 'preact/hooks';
import { counted, formatSeconds } from '../../../format.js';
import type { LogDetail } from '../../views/page-data.js';
import { Problems } from '../shell/problems.js';
import { EntryTable } from './entry-table.js';
import { Timeline } from './timeline.js';
import { TONES } from './tones.js';

/** A run of a workflow: its participants, the timeline of its nodes, and its entries. */
export function LogPage({ detail }: { detail: LogDetail }) {
  const [node, setNode] = useState('');
  const { title, file, workflow, status, began, entries, problems } = detail;
  return (
    <article>
      <h2>{title}</h2>
      <Problems lines={problems} />
      <p>
        Workflow <strong>{workflow ?? 'unknown'}</strong>, <strong>{status}</strong>:{' '}
        {entriesInWords(entries.length)} in {formatSeconds(detail.seconds)}
        {began !== null && ` from ${began}`}, in <code>{file}</code>.
      </p>
      <Counts detail={detail} />
      {detail.people.length > 0 && (
        <section>
          <h3>Who did what</h3>
          <ul class="people">
            {detail.people.map(({ who, did, entries: count }) => (
              <li key={`${did} ${who}`}>
                <strong>{who}</strong> {did} <span class="quiet">({entriesInWords(count)})</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Timeline detail={detail} node={node} choose={setNode} />
      <EntryTable entries={entries} node={node} choose={setNode} />
    </article>
  );
}

/** Counts of the most important events. */
function Counts({ detail: { entries } }: { detail: LogDetail }) {
  const count = (...types: string[]) => entries.filter(({ type }) => types.includes(type)).length;
  const facts = [
    { tone: 'bad', words: counted(count('FailNode', 'Timeout'), 'failure') },
    { tone: 'again', words: count('Retry') === 1 ? '1 retry' : `${count('Retry')} retries` },
    { tone: 'undo', words: counted(count('Compensated'), 'compensation') },
    { tone: 'wait', words: counted(count('AwaitApproval', 'AwaitMessage'), 'wait') },
  ] as const;
  return (
    <ul class="legend">
      {facts.map(({ tone, words }) => (
        <li key={tone}>
          <span class={`tone ${tone}`} aria-hidden="true">
            {TONES[tone].sign}
          </span>
          {words}
        </li>
      ))}
    </ul>
  );
}

function entriesInWords(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}
