import { useEffect, useRef } from 'preact/hooks';
import { readInstanceText } from './model/instances.js';
import { readPlanText } from './model/make-plan.js';
import { acceptPlan, openedShop, withPlan } from './model/open-shop.js';
import { textOfFile } from './model/packed-text.js';
import { type Playground, wordsOfError } from './use-playground.js';

/** Opens files that are dropped anywhere on the page: instances, and plans of the current one. */
export function useDroppedFiles(playground: Playground): void {
  const latest = useRef(playground);
  latest.current = playground;
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    // Otherwise the browser would leave the page for the file.
    addEventListener('dragover', (event) => event.preventDefault(), { signal });
    addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) void openFile(file, latest.current);
      },
      { signal },
    );
    return () => listeners.abort();
  }, []);
}

async function openFile(file: File, { state, open, change, setNotice }: Playground) {
  const name = file.name.replace(/\.gz$/i, '');
  try {
    const text = await textOfFile(file);
    if (!isPlanText(text)) {
      const opened = openedShop(readInstanceText(text, name));
      open(() => opened);
      return;
    }
    const candidate = acceptPlan(state.instance, readPlanText(text, state.instance, name));
    const sentence = `It is a plan of ${state.instance.name}, judged against the instance alone.`;
    await change((before) => withPlan(before, candidate, { title: `Read ${name}`, sentence }));
  } catch (error) {
    setNotice({ tone: 'error', text: `${name}: ${wordsOfError(error)}` });
  }
}

/** Whether a text is a plan: a table or JSON with starts. Instances have durations. */
function isPlanText(text: string): boolean {
  const head = text.slice(0, 4000);
  return /\bstart/i.test(head) && !/"duration"|"jobs"/.test(head);
}
