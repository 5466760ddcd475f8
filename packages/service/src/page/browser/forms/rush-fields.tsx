import { machineOrder } from 'alas-jssp/page';
import { DurationField, SelectField, TextField } from '../parts/fields.js';
import { texts } from '../texts.js';
import { type DraftOperation, EMPTY_OPERATION } from './event-draft.js';
import type { FieldsProps } from './event-fields.js';

/** The fields of an arriving order: its name, its operations, its due date and its weight. */
export function RushFields({ draft, change, view, words }: FieldsProps) {
  const { report } = texts;
  const { operations } = draft;
  const machines = machineOrder(view).map((k) => [k, words.machine(k)] as const);
  const replace = (at: number, part: Partial<DraftOperation>) =>
    change({ operations: operations.map((one, i) => (i === at ? { ...one, ...part } : one)) });
  return (
    <>
      <TextField
        label={report.name}
        type="text"
        value={draft.name}
        onChange={(name) => change({ name })}
        most={200}
        at="job.name"
      />
      <fieldset class="rows">
        <legend>{report.operations}</legend>
        {operations.map((one, i) => (
          <div key={i} class="row">
            <TextField
              label={report.stepName(i + 1)}
              isBare
              type="text"
              value={one.name}
              onChange={(name) => replace(i, { name })}
              most={200}
              at={`job.operations[${i}].name`}
            />
            <SelectField
              label={report.machineOf(i + 1)}
              isBare
              value={one.machine}
              options={machines}
              onChange={(machine) => replace(i, { machine })}
            />
            <DurationField
              label={report.takes(i + 1)}
              isBare
              value={one.duration}
              onChange={(duration) => replace(i, { duration })}
              words={words}
              at={`job.operations[${i}].duration`}
            />
            <button
              type="button"
              aria-label={report.remove(i + 1)}
              disabled={operations.length === 1}
              onClick={() => change({ operations: operations.filter((_, k) => k !== i) })}
            >
              <span aria-hidden="true">✕</span>
            </button>
          </div>
        ))}
        <button
          type="button"
          onClick={() => change({ operations: [...operations, EMPTY_OPERATION] })}
        >
          {report.add}
        </button>
      </fieldset>
      <div class="pair">
        <TextField
          label={report.due}
          type={words.scale === null ? 'number' : 'datetime-local'}
          value={draft.due}
          onChange={(due) => change({ due })}
          at="job.due"
        />
        <TextField
          label={report.weight}
          type="number"
          value={String(draft.weight)}
          onChange={(weight) => change({ weight: Math.max(0, Math.round(Number(weight))) })}
          at="job.weight"
        />
      </div>
    </>
  );
}
