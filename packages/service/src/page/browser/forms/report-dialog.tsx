import { useRef, useState } from 'preact/hooks';
import type { DryRunAnswer, OutcomeAnswer, ReportRequest } from '../../../api/shop-schemas.js';
import { type AnswerProblem, ask, newKey } from '../live/requests.js';
import { asProblem, type FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { DurationField, FormFaults, SelectField } from '../parts/fields.js';
import { Modal } from '../parts/modal.js';
import { ProblemBox } from '../parts/problem-box.js';
import { texts } from '../texts.js';
import { type DraftKind, type EventDraft, eventOf, newDraft } from './event-draft.js';
import { EventFields } from './event-fields.js';
import { TrialTable } from './trial-table.js';

/** The initial kind of event of a report, and its machine or operation. */
export interface ReportSubject {
  readonly kind: DraftKind;
  readonly machine?: number;
  readonly operation?: number;
  readonly resource?: number;
}

type ReportedRow = NonNullable<ReportRequest['row']>;

interface Props {
  readonly subject: ReportSubject;
  readonly shop: FollowedShop;
  readonly words: ShopWords;
  readonly now: number;
  readonly onClose: () => void;
  readonly onOutcome: (outcome: OutcomeAnswer) => void;
}

const KINDS = Object.entries(texts.report.kinds) as [DraftKind, string][];

/** Reports an event: shows its fields, its cost on request, and its outcome. */
export function ReportDialog({ subject, shop, words, now, onClose, onOutcome }: Props) {
  const view = shop.followed;
  const [draft, setDraft] = useState<EventDraft>(() =>
    newDraft(subject.kind, view, words, { ...subject, now }),
  );
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [trial, setTrial] = useState<DryRunAnswer | null>(null);
  const [row, setRow] = useState<ReportedRow>(USUAL);
  const [skipped, setSkipped] = useState<OutcomeAnswer | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [marksMissing, setMarksMissing] = useState(false);
  const request = useRef<SentReport | null>(null);
  const events = `shops/${encodeURIComponent(shop.state.id)}/events`;
  const change = (part: Partial<EventDraft>) => {
    setDraft((known) => ({ ...known, ...part }));
    setTrial(null);
    setRow(USUAL);
    setSkipped(null);
    setMarksMissing(false);
    setProblem(null);
    request.current = null;
  };
  const perform = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  /** The request; marks missing input. */
  const written = () => {
    const body = reportOf(draft, shop, words, now);
    setMarksMissing(body === null);
    return body;
  };
  const choose = (policy: string) => {
    setRow(policy as ReportedRow);
    request.current = null;
  };
  const tryOut = () =>
    perform(async () => {
      const body = written();
      if (body === null) return;
      setTrial(await ask<DryRunAnswer>(`${events}?dry-run=true`, { method: 'POST', body }));
      choose(USUAL);
    });
  const send = () =>
    perform(async () => {
      const body = written();
      if (body === null) return;
      // A repeated request has the same key and body, because the first one may have arrived.
      request.current ??= { key: newKey(), body: row === USUAL ? body : { ...body, row } };
      const outcome = await ask<OutcomeAnswer>(events, {
        method: 'POST',
        ...request.current,
      }).catch((error) => {
        if (asProblem(error).status !== 0) request.current = null;
        throw error;
      });
      request.current = null;
      onOutcome(outcome);
      if (outcome.status === 'skipped') setSkipped(outcome);
      else onClose();
    });
  return (
    <Modal heading={texts.report.heading} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <SelectField
          label={texts.report.kind}
          value={draft.kind}
          options={KINDS.filter(([kind]) => kind !== 'capacity' || view.resources !== null)}
          onChange={(kind) => change({ kind })}
        />
        <FormFaults.Provider value={{ problem, marksMissing }}>
          <EventFields draft={draft} change={change} view={view} words={words} now={now} />
        </FormFaults.Provider>
        {shop.state.clock === null && (
          <DurationField
            label={texts.report.after(words.time(now))}
            value={draft.after}
            onChange={(after) => change({ after })}
            words={words}
            unknown={texts.report.atOnce}
          />
        )}
        {problem !== null && !isBesideField(problem) && <ProblemBox problem={problem} />}
        {skipped !== null && (
          <div class="problem" role="alert">
            {texts.outcome.skipped}
            <Reasons outcome={skipped} />
          </div>
        )}
        {trial !== null && (
          <TrialTable
            trial={trial}
            words={words}
            choice={{ chosen: row, usual: USUAL, canChoose, onChoose: choose }}
          />
        )}
        <footer>
          <button type="button" disabled={isBusy} onClick={tryOut}>
            {texts.report.tryOut}
          </button>
          <button type="submit" class="main-button" disabled={isBusy}>
            {isBusy
              ? texts.report.sending
              : row === USUAL
                ? texts.report.send
                : texts.report.sendChosen}
          </button>
        </footer>
      </form>
    </Modal>
  );
}

/** The default row of a report. */
const USUAL: ReportedRow = 'shop';

function canChoose({ policy, repaired }: DryRunAnswer['trials'][number]): boolean {
  return repaired || policy === USUAL;
}

/** Whether a problem appears next to the field that it is about. */
function isBesideField({ path }: AnswerProblem): boolean {
  return FIELDS.test(path);
}

const FIELDS = /^\$\.events\[0\]\.job\.(name|due|weight|operations\[\d+\]\.(name|duration))$/;

interface SentReport {
  readonly key: string;
  readonly body: object;
}

/** The request of a draft, with its time if the shop has no clock; null while input is missing. */
function reportOf(draft: EventDraft, shop: FollowedShop, words: ShopWords, now: number) {
  const { clock } = shop.state;
  const at = clock === null ? now + (draft.after ?? 0) : now;
  const event = eventOf(draft, shop.followed, words, at);
  return event === null ? null : { events: [event], ...(clock === null ? { now: at } : {}) };
}

function Reasons({ outcome: { skipped, reasons } }: { outcome: OutcomeAnswer }) {
  const lines = [...new Set([...skipped.map(({ reason }) => reason), ...reasons])];
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
