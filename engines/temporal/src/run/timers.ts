import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';

/** Something that rings at a moment. */
interface Ring {
  readonly moment: number;
  readonly ring: () => void;
}

/**
 * Makes `Host.at` in the sandbox. However many rings there are, the server has one timer, for the next of them: most
 * are called off, and each would cost.
 */
export function createTimers(
  // Whoever asks for a ring may be in a scope that is cancelled.
  home = CancellationScope.current(),
): (moment: number, ring: () => void) => () => void {
  const rings = new Set<Ring>();
  let armed: { readonly moment: number; readonly scope: CancellationScope } | undefined;
  let arming = false;

  const arm = (): void => {
    let moment = Number.POSITIVE_INFINITY;
    for (const one of rings) if (one.moment < moment) moment = one.moment;
    if (moment === Number.POSITIVE_INFINITY || (armed !== undefined && armed.moment <= moment))
      return;
    armed?.scope.cancel();
    const scope = new CancellationScope({ cancellable: true, parent: home });
    armed = { moment, scope };
    const current = armed;
    const rung = () => {
      if (armed === current) armed = undefined;
      ringDue(current.moment);
    };
    scope.run(() => sleep(Math.max(1, moment - Date.now()))).then(rung, ignoreCancellation);
  };
  /** A timer that rings is due, whatever the time is: where a question is answered first, that is an older one. */
  const ringDue = (time: number): void => {
    const now = Math.max(time, Date.now());
    const due = [...rings].filter(({ moment }) => moment <= now);
    due.sort((a, b) => a.moment - b.moment);
    for (const one of due) if (rings.delete(one)) one.ring();
    armLater();
  };
  /** No timer is needed for work that is called off at once. */
  const armLater = (): void => {
    if (arming) return;
    arming = true;
    void afterAll(home).then(() => {
      arming = false;
      arm();
    });
  };

  return (moment, ring) => {
    const one = { moment, ring };
    rings.add(one);
    if (moment > Date.now()) armLater();
    else {
      void afterAll(home).then(() => {
        if (rings.delete(one)) ring();
      });
    }
    return () => void rings.delete(one);
  };
}

/** Resolves when all that has been set going has come to rest: the sandbox asks conditions only then. */
function afterAll(home: CancellationScope): Promise<void> {
  let asked = 0;
  return home.run(() => condition(() => asked++ > 0));
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
