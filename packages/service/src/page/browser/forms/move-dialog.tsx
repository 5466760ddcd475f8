import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DryRunAnswer, OutcomeAnswer } from '../../../api/shop-schemas.js';
import { type MoveRules, moveRules, type WishedPlace } from '../live/move-rules.js';
import { type AnswerProblem, ask, newKey } from '../live/requests.js';
import { asProblem, type FollowedShop } from '../live/shop-feed.js';
import type { ShopWords } from '../live/shop-words.js';
import { verdictOnMove } from '../live/use-chart-drag.js';
import { Modal } from '../parts/modal.js';
import { ProblemBox } from '../parts/problem-box.js';
import { texts } from '../texts.js';
import { type RepairTrial, TrialTable } from './trial-table.js';

interface Props {
  readonly operation: number;
  /** The start and the machine that the user dragged it to. */
  readonly start: number;
  readonly machine: number;
  readonly shop: FollowedShop;
  readonly words: ShopWords;
  readonly now: number;
  readonly onClose: () => void;
  readonly onOutcome: (outcome: OutcomeAnswer) => void;
}

/** The steps of the buttons that move the start, in minutes. */
const STEPS = [-60, -15, -5, 5, 15, 60];

/**
 * Moves an operation by hand: shows whether its new start is allowed and the cost of each way to make room for it, and
 * sends the chosen one.
 */
export function MoveDialog({ operation, shop, words, now, onClose, onOutcome, ...props }: Props) {
  const { state, followed } = shop;
  const { moving } = texts;
  const [start, setStart] = useState(props.start);
  const [machine, setMachine] = useState(props.machine);
  const place = { operation, machine, start };
  const { trial, problem, setProblem, tryAgain } = useTrial(place, shop, words);
  const [chosen, setChosen] = useState('');
  const [refusal, setRefusal] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const rules = useMemo(() => moveRules(followed), [followed]);
  const verdict = verdictOnMove(rules, { view: followed, words, now }, place);
  const rows = trial?.trials.filter(isPossible) ?? [];
  const row = rows.find(({ policy }) => policy === chosen) ?? rows[0];
  const key = useRef({ of: '', is: '' });
  const send = async (event: Event) => {
    event.preventDefault();
    if (row === undefined || trial === null) return;
    setBusy(true);
    setProblem(null);
    setRefusal([]);
    const body = { starts: row.starts, version: trial.version };
    const text = JSON.stringify(body);
    // A repeated request has the same key, because the first one may have arrived.
    if (key.current.of !== text) key.current = { of: text, is: newKey() };
    try {
      const wanted = { method: 'POST', body, key: key.current.is } as const;
      const outcome = await ask<OutcomeAnswer>(pathOf(shop), wanted);
      key.current = { of: '', is: '' };
      const isRefused = outcome.status === 'declined' || outcome.status === 'skipped';
      if (!isRefused) onClose();
      else setRefusal([...outcome.reasons, ...outcome.skipped.map(({ reason }) => reason)]);
      onOutcome(outcome);
    } catch (error) {
      const found = asProblem(error);
      if (found.status !== 0) key.current = { of: '', is: '' };
      setProblem(found);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal heading={moving.heading(words.operation(operation))} onClose={onClose}>
      <form onSubmit={send}>
        <p>
          {moving.where(
            words.machine(followed.machine[operation]),
            words.time(followed.start[operation]),
            words.time(start),
          )}
        </p>
        <MachineChoice
          operation={operation}
          machine={machine}
          rules={rules}
          words={words}
          onChoose={(chosen) => {
            setRefusal([]);
            setMachine(chosen);
          }}
        />
        <StartSteps
          start={start}
          now={now}
          words={words}
          onChoose={(chosen) => {
            setRefusal([]);
            setStart(chosen);
          }}
        />
        <p class={verdict.isFine ? 'verdict fine' : 'verdict broken'} role="status">
          {verdict.text}
        </p>
        {refusal.length > 0 && (
          <div class="problem" role="alert">
            {moving.refused} {refusal.join(' ')}
          </div>
        )}
        {problem !== null && <ProblemBox problem={problem} />}
        <TrialPart
          trial={trial}
          words={words}
          choice={{ chosen: row?.policy ?? '', canChoose: isPossible, onChoose: setChosen }}
          tryAgain={problem && tryAgain}
        />
        <p class="quiet">{moving.undoable(state.version)}</p>
        <footer>
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" class="main-button" disabled={isBusy || row === undefined}>
            {isBusy ? texts.report.sending : moving.send}
          </button>
        </footer>
      </form>
    </Modal>
  );
}

interface TrialProps extends Omit<Parameters<typeof TrialTable>[0], 'trial'> {
  /** Null while it is computed, or if it could not be. */
  readonly trial: DryRunAnswer | null;
  /** Asks again after a problem; null if there is none. */
  readonly tryAgain: (() => void) | null;
}

/** The cost of a place, or why it is not there yet. */
function TrialPart({ trial, tryAgain, ...table }: TrialProps) {
  if (trial !== null) return <TrialTable trial={trial} {...table} />;
  if (tryAgain !== null) {
    return (
      <button type="button" onClick={tryAgain}>
        {texts.shops.again}
      </button>
    );
  }
  return (
    <p class="empty" role="status">
      {texts.moving.computing}
    </p>
  );
}

interface MachineProps {
  readonly operation: number;
  readonly machine: number;
  readonly rules: MoveRules;
  readonly words: ShopWords;
  readonly onChoose: (machine: number) => void;
}

/** A choice among the machines that can do an operation; nothing if there is only one. */
function MachineChoice({ operation, machine, rules, words, onChoose }: MachineProps) {
  const machines = rules.machinesOf(operation);
  if (machines.length === 1) return null;
  const durationOn = (one: number) => words.duration(rules.durationOn(operation, one));
  return (
    <label>
      {texts.moving.machine}{' '}
      <select value={machine} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
        {machines.map((one) => (
          <option key={one} value={one}>
            {texts.moving.takes(words.machine(one), durationOn(one))}
          </option>
        ))}
      </select>
    </label>
  );
}

interface StepsProps {
  readonly start: number;
  readonly now: number;
  readonly words: ShopWords;
  readonly onChoose: (start: number) => void;
}

/** Buttons that move a start. */
function StartSteps({ start, now, words, onChoose }: StepsProps) {
  const { moving } = texts;
  const unit = (words.scale?.unit ?? 60) / 60;
  return (
    <fieldset class="steps">
      <legend>{moving.steps}</legend>
      {STEPS.map((minutes) => {
        const by = Math.sign(minutes) * Math.max(1, Math.round(Math.abs(minutes) / unit));
        const length = words.duration(Math.abs(by));
        return (
          <button
            key={minutes}
            type="button"
            disabled={start + by < now}
            onClick={() => onChoose(start + by)}
          >
            {by < 0 ? moving.earlier(length) : moving.later(length)}
          </button>
        );
      })}
    </fieldset>
  );
}

/** Whether a row is feasible, and moves anything. */
function isPossible({ repaired, starts }: RepairTrial): boolean {
  return repaired && starts.length > 0;
}

function pathOf({ state }: FollowedShop): string {
  return `shops/${encodeURIComponent(state.id)}/starts`;
}

/** Milliseconds without a change of the start before its cost is requested. */
const PAUSE = 300;

/** The cost of a place, requested again when the place or the followed version changes. */
function useTrial(
  { operation, machine, start }: WishedPlace,
  shop: FollowedShop,
  words: ShopWords,
) {
  const [made, setMade] = useState<{ readonly of: string; readonly trial: DryRunAnswer } | null>(
    null,
  );
  const [problem, setProblem] = useState<AnswerProblem | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { version } = shop.state;
  const of = `${machine} ${start} ${version}`;
  useEffect(() => {
    setProblem(null);
    const stopped = new AbortController();
    const { signal } = stopped;
    const { jobOffset } = shop.followed;
    const job = words.jobOf[operation];
    const step = operation - jobOffset[job] + 1;
    const isElsewhere = machine !== shop.followed.machine[operation];
    const wish = { job: words.jobLabel(job), step, start, ...(isElsewhere && { machine }) };
    const body = { starts: [wish] };
    const timer = setTimeout(() => {
      ask<DryRunAnswer>(`${pathOf(shop)}?dry-run=true`, { method: 'POST', body, signal })
        .then((trial) => setMade({ of, trial }))
        .catch((error) => signal.aborted || setProblem(asProblem(error)));
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [operation, machine, start, version, attempt]);
  // The cost of another place is not shown.
  const trial = made?.of === of ? made.trial : null;
  return { trial, problem, setProblem, tryAgain: () => setAttempt(attempt + 1) };
}
