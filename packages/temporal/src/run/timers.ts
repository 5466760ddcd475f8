import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';

/** A callback at a moment. */
interface Ring {
  readonly moment: number;
  readonly ring: () => void;
}

/**
 * Makes `Host.at` in the sandbox. All callbacks share one timer on the server, for the next of
 * them: most are cancelled, and each would cost.
 */
export function createTimers(
  // The caller may be in a scope that is cancelled.
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
  /**
   * A timer that fires is due, whatever the time is: if a query is answered first, its time is
   * older.
   */
  const ringDue = (time: number): void => {
    const now = Math.max(time, Date.now());
    const due = [...rings].filter(({ moment }) => moment <= now);
    due.sort((a, b) => a.moment - b.moment);
    for (const one of due) if (rings.delete(one)) one.ring();
    armLater();
  };
  /** Work that is cancelled at once needs no timer. */
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

/** Resolves when all started work has come to rest: the sandbox evaluates conditions only then. */
function afterAll(home: CancellationScope): Promise<void> {
  let asked = 0;
  return home.run(() => condition(() => asked++ > 0));
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
