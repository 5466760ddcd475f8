import { useState } from 'preact/hooks';
import { SelectField } from '../parts/fields.js';
import { texts } from '../texts.js';
import { type DraftTable, fieldsOf, type ImportDraft } from './import-draft.js';

interface Props {
  readonly draft: ImportDraft;
  readonly table: DraftTable;
  readonly onChange: (chosen: DraftTable['chosen']) => void;
}

/** The column of each field of a file, with its first cells; the user may choose another column. */
export function ColumnTable({ draft, table, onChange }: Props) {
  const words = texts.importing;
  const { headings, samples, fields } = table.columns;
  const columnOf = (field: keyof typeof fields) => table.chosen[field] ?? fields[field] ?? '';
  const examples = (heading: string) => {
    const column = headings.indexOf(heading);
    const cells = column < 0 ? [] : samples.map((row) => row[column] ?? '');
    return [...new Set(cells.filter((cell) => cell !== ''))].join(', ');
  };
  const [isUnclear] = useState(() => fields.machine === undefined && fields.article === undefined);
  return (
    <details class="columns" open={isUnclear}>
      <summary>
        <h2>{words.columns(table.name)}</h2>
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.column}</th>
            <th scope="col">{words.examples}</th>
          </tr>
        </thead>
        <tbody>
          {fieldsOf(draft, table).map((field) => {
            const name = words.fields[field] ?? field;
            // A column with a usual heading belongs to its field, even if the user chooses none.
            const none = fields[field] === undefined ? [['', words.noColumn] as const] : [];
            return (
              <tr key={field}>
                <th scope="row">{name}</th>
                <td>
                  <SelectField
                    label={words.columnOf(name, table.name)}
                    isBare
                    value={columnOf(field)}
                    options={[
                      ...none,
                      ...headings
                        .filter((heading) => heading !== '')
                        .map((heading) => [heading, heading] as const),
                    ]}
                    onChange={(heading) => {
                      const { [field]: _, ...others } = table.chosen;
                      const isUsual = heading === '' || heading === fields[field];
                      onChange(isUsual ? others : { ...others, [field]: heading });
                    }}
                  />
                </td>
                <td class="quiet">{examples(columnOf(field))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}
