import type { ComponentChildren } from 'preact';

interface Props {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** A check box with its label. */
export function CheckBox({ checked, onChange, children, class: name }: Props) {
  return (
    <label class={name}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />{' '}
      {children}
    </label>
  );
}
