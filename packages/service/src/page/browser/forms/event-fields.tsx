import { machineOrder, type ScheduleView } from 'alas-jssp/page';
import type { ShopWords } from '../live/shop-words.js';
import { ChoiceField, DurationField, SelectField, TextField } from '../parts/fields.js';
import { texts } from '../texts.js';
import {
  type EventDraft,
  fittingOperations,
  openJobs,
  openOperations,
  operationOf,
} from './event-draft.js';
import { RushFields } from './rush-fields.js';

export interface FieldsProps {
  readonly draft: EventDraft;
  readonly change: (part: Partial<EventDraft>) => void;
  readonly view: ScheduleView;
  readonly words: ShopWords;
  readonly now: number;
}

/** The fields of an event of the chosen kind. */
export function EventFields(props: FieldsProps) {
  const { draft, change, words } = props;
  const { report } = texts;
  switch (draft.kind) {
    case 'breakdown':
      return (
        <>
          <MachineField {...props} />
          <DurationField
            label={report.howLong}
            value={draft.downFor}
            onChange={(downFor) => change({ downFor })}
            words={words}
            unknown={report.unknown}
          />
          <WorkField {...props} />
        </>
      );
    case 'maintenance':
      return <MaintenanceFields {...props} />;
    case 'restored':
      return <MachineField {...props} />;
    case 'duration':
    case 'delay':
      return (
        <>
          <JobField {...props} />
          <OperationField {...props} />
          <DurationField
            label={draft.kind === 'duration' ? report.longer : report.lateBy}
            value={draft.longer}
            onChange={(longer) => change({ longer })}
            words={words}
          />
        </>
      );
    case 'arrival':
      return <RushFields {...props} />;
    case 'cancellation':
      return <JobField {...props} />;
    case 'capacity':
      return <CapacityFields {...props} />;
    case 'alternative':
      return (
        <>
          <JobField {...props} />
          <OperationField {...props} />
          <MachineField {...props} />
          <DurationField
            label={report.takesThere}
            value={draft.longer}
            onChange={(longer) => change({ longer })}
            words={words}
          />
        </>
      );
  }
}

/** The fields of less of an operator or tool for a while. */
function CapacityFields({ draft, change, view, words }: FieldsProps) {
  const { report } = texts;
  const { names = [], capacity = [] } = view.resources ?? {};
  return (
    <>
      <SelectField
        label={report.resource}
        value={draft.resource}
        options={names.map((name, i) => [i, name] as const)}
        onChange={(resource) => change({ resource, left: 0 })}
      />
      {capacity[draft.resource] > 1 && (
        <SelectField
          label={report.left}
          value={draft.left}
          options={Array.from({ length: capacity[draft.resource] }, (_, i) => [i, String(i)])}
          onChange={(left) => change({ left })}
        />
      )}
      <DurationField
        label={report.missingFor}
        value={draft.downFor}
        onChange={(downFor) => change({ downFor })}
        words={words}
        unknown={report.unknown}
      />
    </>
  );
}

/** The fields of a downtime that is known before it begins. */
function MaintenanceFields(props: FieldsProps) {
  const { draft, change, words } = props;
  const { report } = texts;
  const type = words.scale === null ? 'number' : 'datetime-local';
  const { from, until } = draft;
  return (
    <>
      <MachineField {...props} />
      <div class="pair">
        <TextField
          label={report.from}
          type={type}
          value={from}
          onChange={(text) => change({ from: text })}
          isMissing={from === ''}
        />
        <TextField
          label={report.until}
          type={type}
          value={until}
          onChange={(text) => change({ until: text })}
          isMissing={until === ''}
        />
      </div>
      <WorkField {...props} />
    </>
  );
}

function WorkField({ draft, change }: FieldsProps) {
  const { report } = texts;
  return (
    <ChoiceField
      label={report.work}
      name="work"
      value={draft.resumable ? 'resumes' : 'lost'}
      options={[
        ['resumes', report.resumes],
        ['lost', report.lost],
      ]}
      onChange={(work) => change({ resumable: work === 'resumes' })}
    />
  );
}

function MachineField({ draft, change, view, words }: FieldsProps) {
  return (
    <SelectField
      label={texts.report.machine}
      value={draft.machine}
      options={machineOrder(view).map((k) => [k, words.machine(k)] as const)}
      onChange={(machine) => change({ machine })}
    />
  );
}

function JobField({ draft, change, view, words, now }: FieldsProps) {
  return (
    <SelectField
      label={texts.report.job}
      value={draft.job}
      options={openJobs(view, now).map((job) => [job, words.job(job)] as const)}
      onChange={(job) => change({ job, operation: openOperations(view, job, now)[0] ?? -1 })}
    />
  );
}

function OperationField({ draft, change, view, words, now }: FieldsProps) {
  const fitting = fittingOperations(draft, view, now);
  if (fitting.length === 0) return <p class="problem">{texts.report.nothingRuns}</p>;
  return (
    <SelectField
      label={texts.report.step}
      value={operationOf(draft, view, now)}
      options={fitting.map((op) => [op, stepText(op, view, words)] as const)}
      onChange={(operation) => change({ operation })}
    />
  );
}

function stepText(op: number, view: ScheduleView, words: ShopWords): string {
  return `${words.step(op)} · ${words.machine(view.machine[op])} · ${words.time(view.start[op])}`;
}
