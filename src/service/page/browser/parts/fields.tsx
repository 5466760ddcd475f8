import { texts } from '../../texts.js';
import type { ShopWords } from '../live/shop-words.js';

interface SelectProps<Value extends string | number> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChange: (value: Value) => void;
  /** Whether the label is only for those who hear the page read. */
  readonly isBare?: boolean;
}

/** One of several, in a list that opens. */
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

/** One of several, all in sight: large enough for fingers. */
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
}

/** A line of text, a number or a time. */
export function TextField({ label, type, value, onChange, most }: TextProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type={type as 'text'}
        value={value}
        maxLength={most}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

interface DurationProps {
  readonly label: string;
  /** In the units of the shop; null: nobody knows. */
  readonly value: number | null;
  readonly onChange: (units: number | null) => void;
  readonly words: ShopWords;
  /** Text of the button that says no duration; default: there is none. */
  readonly unknown?: string;
  readonly isBare?: boolean;
}

/** Durations that are one touch away: in minutes with a clock, else in units. */
const QUICK = [15, 30, 60, 120];

/** How long something takes: one of the usual durations, another one, or unknown. */
export function DurationField({ label, value, onChange, words, ...props }: DurationProps) {
  const { unknown, isBare = false } = props;
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
          required={unknown === undefined}
          value={typed}
          onInput={({ currentTarget }) => {
            const minutes = Number(currentTarget.value);
            if (currentTarget.value === '') onChange(null);
            else if (minutes > 0) onChange(toUnits(minutes));
          }}
        />{' '}
        {unit}
      </span>
    </fieldset>
  );
}
