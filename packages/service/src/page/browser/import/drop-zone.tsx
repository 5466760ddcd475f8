import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SelectField } from '../parts/fields.js';
import { texts } from '../texts.js';
import { type ImportDraft, TABLE_KINDS } from './import-draft.js';

interface Props {
  readonly files: ImportDraft['files'];
  readonly onFiles: (files: readonly File[]) => void;
  readonly onChange: (files: ImportDraft['files']) => void;
}

/** Accepts files that are dropped anywhere on the page, and lists them. */
export function DropZone({ files, onFiles, onChange }: Props) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const words = texts.importing;
  const receive = useRef(onFiles);
  receive.current = onFiles;
  // Listens before the page is shown: otherwise the browser would open a file that is dropped at once.
  useLayoutEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    // By default the browser leaves the page and opens the file.
    const take = (event: DragEvent, isHere: boolean) => {
      event.preventDefault();
      setOver(isHere);
    };
    addEventListener('dragover', (event) => take(event, true), { signal });
    addEventListener('dragleave', (event) => take(event, false), { signal });
    addEventListener(
      'drop',
      (event) => {
        take(event, false);
        receive.current([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => gone.abort();
  }, []);
  return (
    <section class={isOver ? 'drop-zone over' : 'drop-zone'} aria-label={words.files}>
      <p>
        {words.drop}{' '}
        <button type="button" onClick={() => input.current?.click()}>
          {words.choose}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept=".csv,.txt,.json"
          aria-label={words.choose}
          onChange={({ currentTarget }) => {
            onFiles([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
      </p>
      <ul>
        {files.map((file) => (
          <li key={file.name}>
            <strong>{file.name}</strong>
            {'columns' in file ? (
              <SelectField
                label={words.kindOf(file.name)}
                isBare
                value={file.kind}
                options={TABLE_KINDS.map((one) => [one, words.kinds[one]])}
                onChange={(kind) =>
                  onChange(files.map((one) => (one === file ? { ...file, kind } : one)))
                }
              />
            ) : (
              <span>{words.kinds[file.kind]}</span>
            )}
            {'columns' in file && file.columns.encoding !== 'UTF-8' && (
              <span class="quiet">{words.encoding(file.columns.encoding)}</span>
            )}
            <button
              type="button"
              aria-label={words.remove(file.name)}
              onClick={() => onChange(files.filter((one) => one !== file))}
            >
              <span aria-hidden="true">✕</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
