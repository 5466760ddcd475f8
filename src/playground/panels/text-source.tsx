import { useId, useRef, useState } from 'preact/hooks';
import { textOfFile } from '../model/packed-text.js';
import { wordsOfError } from '../use-playground.js';

interface Props {
  /** Its accessible name, such as `Instance`. */
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly action: string;
  /** Uses the text; throws if it is wrong. */
  readonly use: (text: string, file?: string) => void;
}

/** The number of lines that are numbered. */
const MOST_LINES = 5000;

/** A field for pasted or dropped text, with line numbers, and the error in one line below. */
export function TextSource({ label, hint, placeholder, action, use }: Props) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  const id = useId();

  const attempt = (content: string, file?: string) => {
    try {
      use(content, file);
      setError('');
    } catch (problem) {
      setError(wordsOfError(problem));
    }
  };
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      const content = await textOfFile(file);
      setText(content.length > 200_000 ? '' : content);
      attempt(content, file.name.replace(/\.gz$/i, ''));
    } catch {
      setError(`${file.name} cannot be read`);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can also be chosen with a button
    <div
      class={isOver ? 'text-source over' : 'text-source'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        void open(event.dataTransfer?.files[0]);
      }}
    >
      <p class="quiet">{hint}</p>
      <div class="numbered">
        <pre aria-hidden="true" ref={numbers}>
          {lineNumbers(text)}
        </pre>
        <textarea
          ref={field}
          aria-label={label}
          aria-invalid={error !== ''}
          aria-describedby={error === '' ? undefined : id}
          rows={7}
          wrap="off"
          spellcheck={false}
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setError('');
          }}
          onScroll={({ currentTarget }) => {
            if (numbers.current !== null) numbers.current.scrollTop = currentTarget.scrollTop;
          }}
        />
      </div>
      {error !== '' && (
        <p class="fault" role="alert" id={id}>
          {error}{' '}
          {lineIn(error) !== null && text !== '' && (
            <button
              type="button"
              class="link"
              onClick={() => showLine(field.current, lineIn(error))}
            >
              show the line
            </button>
          )}
        </p>
      )}
      <div class="actions">
        <button type="button" class="strong" disabled={text === ''} onClick={() => attempt(text)}>
          {action}
        </button>
        <label class="file">
          <input
            type="file"
            aria-label={`${label} from a file`}
            onChange={({ currentTarget }) => {
              void open(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
          <span aria-hidden="true">choose a file</span>
        </label>
      </div>
    </div>
  );
}

function lineNumbers(text: string): string {
  const lines = Math.min(MOST_LINES, text.split('\n', MOST_LINES).length);
  return Array.from({ length: Math.max(7, lines) }, (_, i) => i + 1).join('\n');
}

/** The line that an error names. */
function lineIn(error: string): number | null {
  const found = /^line (\d+): /.exec(error);
  return found === null ? null : Number(found[1]);
}

/** Selects a line, and scrolls to it. */
function showLine(field: HTMLTextAreaElement | null, line: number | null): void {
  if (field === null || line === null) return;
  const lines = field.value.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  field.focus();
  field.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  field.scrollTop = ((line - 3) * field.scrollHeight) / Math.max(1, lines.length);
}
