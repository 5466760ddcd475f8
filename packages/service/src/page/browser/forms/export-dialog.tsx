import { useEffect, useState } from 'preact/hooks';
import type { CalendarAddress, ShopStateAnswer } from '../../../api/shop-schemas.js';
import { type AnswerProblem, ask, askForFile } from '../live/requests.js';
import { asProblem } from '../live/shop-feed.js';
import { SelectField } from '../parts/fields.js';
import { Modal } from '../parts/modal.js';
import { ProblemBox } from '../parts/problem-box.js';
import { texts } from '../texts.js';

interface Props {
  readonly state: ShopStateAnswer;
  readonly onClose: () => void;
}

/** Exports the plan of a shop as files, and shows the addresses of its calendars. */
export function ExportDialog({ state, onClose }: Props) {
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const words = texts.exporting;
  const shop = `shops/${encodeURIComponent(state.id)}`;
  const hasClock = state.time_scale !== null;
  const save = async (format: string) => {
    setProblem(null);
    try {
      const { blob, name } = await askForFile(`${shop}/export?format=${format}`);
      saveFile(blob, name);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Modal heading={words.heading} onClose={onClose}>
      <div class="export">
        <p>{words.explain(state.version)}</p>
        <p class="formats">
          {(['xlsx', 'csv', 'ics'] as const)
            .filter((format) => hasClock || format !== 'ics')
            .map((format) => (
              <button key={format} type="button" onClick={() => save(format)}>
                {words.formats[format]}
              </button>
            ))}
        </p>
        {problem !== null && <ProblemBox problem={problem} />}
        <h3>{words.subscribe}</h3>
        {hasClock ? <Subscription shop={shop} onProblem={setProblem} /> : <p>{words.noClock}</p>}
      </div>
    </Modal>
  );
}

interface SubscriptionProps {
  /** The address of the shop. */
  readonly shop: string;
  readonly onProblem: (problem: AnswerProblem) => void;
}

/** The address of a calendar, of all machines or of one. */
function Subscription({ shop, onProblem }: SubscriptionProps) {
  const [calendars, setCalendars] = useState<readonly CalendarAddress[]>([]);
  const [machine, setMachine] = useState('');
  const [isCopied, setCopied] = useState(false);
  const words = texts.exporting;
  useEffect(() => {
    const gone = new AbortController();
    ask<CalendarAddress[]>(`${shop}/calendars`, { signal: gone.signal }).then(
      setCalendars,
      (error) => gone.signal.aborted || onProblem(asProblem(error)),
    );
    return () => gone.abort();
  }, [shop]);
  const chosen = calendars.find((one) => (one.machine ?? '') === machine);
  if (chosen === undefined) return null;
  const address = new URL(chosen.path, location.href.split('#', 1)[0]).href;
  const copy = async (input: HTMLInputElement | null) => {
    input?.select();
    // Pages over plain HTTP have no clipboard: the user copies the selected text.
    await navigator.clipboard?.writeText(address).then(
      () => setCopied(true),
      () => {},
    );
  };
  return (
    <>
      <p>{words.about}</p>
      <SelectField
        label={words.calendar}
        value={machine}
        options={calendars.map((one) => [one.machine ?? '', one.machine ?? words.all] as const)}
        onChange={(value) => {
          setMachine(value);
          setCopied(false);
        }}
      />
      <label class="field">
        <span>{words.address}</span>
        <input
          type="text"
          readOnly
          value={address}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </label>
      {address.includes('key=') && <p class="quiet">{words.secret}</p>}
      <p class="formats">
        <button
          type="button"
          onClick={({ currentTarget }) =>
            copy(currentTarget.closest('.export')?.querySelector('input') ?? null)
          }
        >
          {words.copy}
        </button>
        <a class="button" href={address.replace(/^https?:/, 'webcal:')}>
          {words.open}
        </a>
        <span role="status">{isCopied && words.copied}</span>
      </p>
    </>
  );
}

/** Saves a file in the browser. */
function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
