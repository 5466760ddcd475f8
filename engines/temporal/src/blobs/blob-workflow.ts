import { condition, defineSignal, setHandler } from '@temporalio/workflow';

/** Gives the place of a blob free. */
export const drop = defineSignal('drop');

/** How long a blob is kept if nobody drops it. */
const KEPT = '30 days';

/** Keeps a piece of something that is too large for a payload: it stands in the input, for whoever reads the history. */
export async function blob(_piece: string): Promise<void> {
  let dropped = false;
  setHandler(drop, () => {
    dropped = true;
  });
  await condition(() => dropped, KEPT);
}
