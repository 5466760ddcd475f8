interface SelectProps<Value extends string | number> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChange: (value: Value) => void;
}

/** A choice in a drop-down list. */
export function SelectBox<Value extends string | number>(props: SelectProps<Value>) {
  const { label, value, options, onChange } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={String(value)}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([one]) => String(one) === currentTarget.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
      >
        {options.map(([one, words]) => (
          <option key={one} value={String(one)} selected={one === value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface NumberProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly onChange: (value: number) => void;
}

/** A whole number; an empty field is NaN. */
export function NumberField({ label, value, least, onChange }: NumberProps) {
  return (
    <label class="field number">
      <span>{label}</span>
      <input
        type="number"
        inputMode="numeric"
        min={least}
        step="1"
        value={Number.isNaN(value) ? '' : value}
        onInput={({ currentTarget }) => {
          const { value: text } = currentTarget;
          onChange(text === '' ? Number.NaN : Math.round(Number(text)));
        }}
      />
    </label>
  );
}
