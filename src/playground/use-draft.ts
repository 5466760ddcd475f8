import { useEffect, useState } from 'preact/hooks';
import type { PlayState } from './model/play-state.js';
import { usualLength } from './model/suggest-event.js';
import type { EventDraft } from './panels/event-bar.js';

/** The event that the reader is about to report; a new shop begins with a new one. */
export function useDraft(makespan: number, now: number, first: PlayState) {
  const fresh = (): EventDraft => ({
    kind: 'breakdown',
    machine: 0,
    job: 0,
    from: Math.round(makespan / 3),
    length: usualLength({ makespan }),
    isTouched: false,
  });
  const [draft, setDraft] = useState(fresh);
  useEffect(() => setDraft(fresh()), [first]);
  // Time only goes on: what was possible before may be in the past.
  const isPast = !draft.isTouched && draft.from < now;
  return { draft: isPast ? { ...draft, from: now } : draft, setDraft };
}
