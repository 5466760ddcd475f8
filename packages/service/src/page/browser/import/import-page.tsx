import { systemClock } from '@alas-jssp/core/clock';
import { routeTo, toggleTheme } from 'alas-jssp/page/parts';
import { useEffect, useState } from 'preact/hooks';
import type { ImportAnswer } from '../../../api/import-schemas.js';
import { type AnswerProblem, ask } from '../live/requests.js';
import { asProblem } from '../live/shop-feed.js';
import { SelectField, TextField } from '../parts/fields.js';
import { ProblemBox } from '../parts/problem-box.js';
import { texts } from '../texts.js';
import { ColumnTable } from './column-table.js';
import { DropZone } from './drop-zone.js';
import {
  DATE_FORMS,
  faultOf,
  hasFields,
  type ImportDraft,
  importRequest,
  shopIdOf,
  withMapping,
} from './import-draft.js';
import { ImportPreview } from './import-preview.js';
import { readDroppedFile } from './read-files.js';

interface Props {
  /** Called if the service refuses a request without a valid token. */
  readonly onRefusal: (problem: AnswerProblem) => void;
}

/** Milliseconds without a change before the service reads the files. */
const PAUSE = 300;

/** Opens a shop from dropped files, after a preview of the instance that the service read. */
export function ImportPage({ onRefusal }: Props) {
  const [draft, setDraft] = useState(firstDraft);
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [read, setRead] = useState<ReadDraft | null>(null);
  const [id, setId] = useState<string | null>(null);
  const words = texts.importing;
  const change = (changes: Partial<ImportDraft>) => setDraft((one) => ({ ...one, ...changes }));
  const fail = (error: unknown) => {
    const found = asProblem(error);
    if (found.status === 401) onRefusal(found);
    else setProblem(found);
  };
  const add = async (files: readonly File[]) => {
    setProblem(null);
    for (const file of files) {
      try {
        const read = await readDroppedFile(file);
        setDraft((one) => {
          const others = one.files.filter(({ name }) => name !== read.name);
          const next = { ...one, files: [...others, read] };
          return read.kind === 'map' ? withMapping(next, read.document) : next;
        });
      } catch (error) {
        fail(error);
      }
    }
  };
  const fault = faultOf(draft);
  useEffect(() => {
    document.title = `${words.heading} · ${texts.title}`;
  }, []);
  useEffect(() => {
    if (fault !== null) {
      setRead(null);
      return;
    }
    const gone = new AbortController();
    const send = async () => {
      try {
        const wanted = { method: 'POST', body: importRequest(draft), signal: gone.signal } as const;
        setRead({ draft, answer: await ask<ImportAnswer>('import', wanted) });
        setProblem(null);
      } catch (error) {
        if (gone.signal.aborted) return;
        setRead(null);
        fail(error);
      }
    };
    const timer = setTimeout(send, PAUSE);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [draft]);
  return (
    <>
      <header class="page-head">
        <h1>
          <a href={routeTo('shops')} aria-label={texts.shops.all}>
            ‹
          </a>{' '}
          {words.heading}
        </h1>
        <button type="button" class="quiet" onClick={toggleTheme}>
          {texts.theme}
        </button>
      </header>
      <main class="import">
        <p>{words.explain}</p>
        <DropZone files={draft.files} onFiles={add} onChange={(files) => change({ files })} />
        {fault !== null && draft.files.length > 0 && (
          <p class="warning" role="status">
            {fault === 'no_orders' ? words.noOrders : words.twice(words.kinds[fault])}
          </p>
        )}
        {problem !== null && <ProblemBox problem={problem} />}
        {draft.files.some((file) => 'columns' in file) && <Reading draft={draft} change={change} />}
        {draft.files.map((file) =>
          'columns' in file && hasFields(file) ? (
            <ColumnTable
              key={file.name}
              draft={draft}
              table={file}
              onChange={(chosen) =>
                change({
                  files: draft.files.map((one) => (one === file ? { ...file, chosen } : one)),
                })
              }
            />
          ) : null,
        )}
        {read !== null && (
          <ImportPreview
            answer={read.answer}
            isCurrent={read.draft === draft}
            id={id ?? shopIdOf(draft.files.find(({ kind }) => kind === 'orders')?.name ?? '')}
            onId={setId}
          />
        )}
      </main>
    </>
  );
}

/** A draft, and the answer of the service to it. */
interface ReadDraft {
  readonly draft: ImportDraft;
  readonly answer: ImportAnswer;
}

interface ReadingProps {
  readonly draft: ImportDraft;
  readonly change: (changes: Partial<ImportDraft>) => void;
}

/** The formats of dates, numbers and times in the files. */
function Reading({ draft, change }: ReadingProps) {
  const words = texts.importing;
  const { timeUnits, decimal } = words;
  return (
    <fieldset class="reading">
      <legend>
        <h2>{words.reading}</h2>
      </legend>
      <TextField
        label={words.begins}
        type="datetime-local"
        value={draft.epoch}
        onChange={(epoch) => change({ epoch })}
      />
      <TextField
        label={words.zone}
        type="text"
        value={draft.zone}
        onChange={(zone) => change({ zone })}
      />
      <SelectField
        label={words.times}
        value={draft.times}
        options={(['minutes', 'seconds', 'hours'] as const).map((one) => [one, timeUnits[one]])}
        onChange={(times) => change({ times })}
      />
      <SelectField
        label={words.dates}
        value={draft.dates}
        options={DATE_FORMS}
        onChange={(dates) => change({ dates })}
      />
      <SelectField
        label={words.decimals}
        value={draft.decimal}
        options={(['auto', '.', ','] as const).map((one) => [one, decimal[one]])}
        onChange={(one) => change({ decimal: one })}
      />
    </fieldset>
  );
}

/** A draft without files: time begins now, in the time zone of the browser. */
function firstDraft(): ImportDraft {
  // The Swedish format is that of date inputs: 2026-11-24 14:10.
  const local = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  return {
    files: [],
    epoch: local.format(systemClock.now()).replace(' ', 'T'),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    times: 'minutes',
    dates: 'yyyy-mm-dd',
    decimal: 'auto',
  };
}
