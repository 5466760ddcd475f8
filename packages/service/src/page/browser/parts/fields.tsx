import { createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import type { AnswerProblem } from '../live/requests.js';
import type { ShopWords } from '../live/shop-words.js';
import { texts } from '../texts.js';

/** The faults of a form: a problem of the service, and whether missing input is marked. */
export const FormFaults = createContext<{
  readonly problem: AnswerProblem | null;
  readonly marksMissing: boolean;
}>({ problem: null, marksMissing: false });

/** Whether a problem is about a field of an event, such as `job.due`. */
function isAbout(problem: AnswerProblem, at: string): boolean {
  return problem.path === `$.events[0].${at}`;
}

/** The fault of a field in words, and the attributes that link its input to it. */
function useFault(at: string | undefined, isMissing: boolean) {
  const { problem, marksMissing } = useContext(FormFaults);
  const id = useId();
  const isReported = problem !== null && at !== undefined && isAbout(problem, at);
  const words = isReported
    ? [problem.message, problem.hint].filter((text) => text !== null).join(': ')
    : marksMissing && isMissing
      ? texts.report.missing
      : '';
  return words === ''
    ? { note: null, marks: {} }
    : {
        note: (
          <span id={id} class="fault" role="alert">
            {words}
          </span>
        ),
        marks: { 'aria-invalid': true, 'aria-describedby': id } as const,
      };
}

interface SelectProps<Value extends string | number> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChange: (value: Value) => void;
  /** Whether the label is only for screen readers. */
  readonly isBare?: boolean;
}

/** A choice in a drop-down list. */
export function SelectField<Value extends string | number>(props: SelectProps<Value>) {
  const { label, value, options, onChange, isBare = false } = props;
  return (
    <label class={isBare ? 'field bare' : 'field'}>
      <span>{label}</span>
      <select
        value={String(options.findIndex(([one]) => one === value))}
        onChange={({ currentTarget }) => onChange(options[Number(currentTarget.value)][0])}
      >
        {options.map(([one, words], i) => (
          <option key={one} value={String(i)}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChange: (value: Value) => void;
}

/** A choice of visible options, large enough for touch. */
export function ChoiceField<Value extends string>({
  label,
  name,
  value,
  options,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {options.map(([one, words]) => (
        <label key={one} class={one === value ? 'chosen' : ''}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChange(one)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

interface TextProps {
  readonly label: string;
  readonly type: 'text' | 'number' | 'datetime-local';
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly most?: number;
  /** Its path in the event, by which the service names it. */
  readonly at?: string;
  readonly isBare?: boolean;
  /** Whether the field is required and empty. */
  readonly isMissing?: boolean;
}

/** A line of text, a number or a time. */
export function TextField(props: TextProps) {
  const { label, type, value, onChange, most, at, isBare = false, isMissing = false } = props;
  const { note, marks } = useFault(at, isMissing);
  return (
    <label class={isBare ? 'field bare' : 'field'}>
      <span>{label}</span>
      <input
        type={type as 'text'}
        value={value}
        maxLength={most}
        placeholder={isBare ? label : undefined}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        {...marks}
      />
      {note}
    </label>
  );
}

interface DurationProps {
  readonly label: string;
  /** In units of the shop; null: unknown. */
  readonly value: number | null;
  readonly onChange: (units: number | null) => void;
  readonly words: ShopWords;
  /** The text of the button for an unknown duration; default: no button. */
  readonly unknown?: string;
  readonly isBare?: boolean;
  /** Its path in the event, by which the service names it. */
  readonly at?: string;
}

/** Durations with a button: in minutes with a clock, else in units. */
const QUICK = [15, 30, 60, 120];

/** A duration: one of the usual ones, another one, or unknown. */
export function DurationField({ label, value, onChange, words, ...props }: DurationProps) {
  const { unknown, isBare = false, at } = props;
  const { note, marks } = useFault(at, unknown === undefined && value === null);
  const perMinute = 60 / (words.scale?.unit ?? 60);
  const toUnits = (minutes: number) => Math.max(1, Math.round(minutes * perMinute));
  const typed = value === null ? '' : String(Math.round((value / perMinute) * 100) / 100);
  const unit = words.scale === null ? texts.report.units : texts.report.minutes;
  return (
    <fieldset class={isBare ? 'duration bare' : 'duration'}>
      <legend>{label}</legend>
      {unknown !== undefined && (
        <button type="button" aria-pressed={value === null} onClick={() => onChange(null)}>
          {unknown}
        </button>
      )}
      {!isBare &&
        QUICK.map((minutes) => (
          <button
            key={minutes}
            type="button"
            aria-pressed={value === toUnits(minutes)}
            onClick={() => onChange(toUnits(minutes))}
          >
            {words.duration(toUnits(minutes))}
          </button>
        ))}
      <span class="amount">
        <input
          type="number"
          min="0"
          step="any"
          inputMode="decimal"
          aria-label={`${label} (${unit})`}
          value={typed}
          onInput={({ currentTarget }) => {
            const minutes = Number(currentTarget.value);
            if (currentTarget.value === '') onChange(null);
            else if (minutes > 0) onChange(toUnits(minutes));
          }}
          {...marks}
        />{' '}
        {unit}
      </span>
      {note}
    </fieldset>
  );
}
