import type * as engine from 'alas-jssp/browser';

/** The texts of files that {@link tour} works on. */
export interface TourFiles {
  readonly small: string;
  readonly large: string;
  readonly flexible: string;
  readonly clocked: string;
}

/**
 * Uses every part of the engine, and returns what it found, as JSON. It is passed to a page as text: it may use nothing
 * but its parameters.
 */
export async function tour(
  {
    createCertificate,
    dispatchBest,
    explainRepair,
    generateTaillard,
    injectEvents,
    insertion,
    instanceChecksum,
    isFeasible,
    lowerBound,
    optimize,
    packageVersion,
    parseEvent,
    parseInstance,
    parsePlan,
    repair,
    repairPlan,
    validate,
    verifyCertificate,
    writeInstanceJson,
    writePlanCsv,
    writePlanJson,
  }: typeof engine,
  { small, large, flexible, clocked }: TourFiles,
): Promise<string> {
  const instances = [
    parseInstance(small, { name: 'ft06' }),
    parseInstance(large, { name: 'ta41' }),
    parseInstance(flexible, { file: 'mk01.fjs' }),
    parseInstance(clocked),
    // More operations than a search without threads usually has.
    generateTaillard({ jobs: 50, machines: 40, timeSeed: 1, machineSeed: 2, name: 'made' }),
  ];
  const found: unknown[] = [];
  for (const instance of instances) {
    const { schedule, rule } = dispatchBest(instance);
    const best = await optimize(instance, { start: schedule, budget: { iterations: 200 } });
    const options = {
      lowerBound: lowerBound(instance),
      createdWith: { package: 'a test', version: packageVersion() },
    };
    const certificate = createCertificate(best.schedule, options);
    const now = Math.floor(schedule.makespan / 3);
    const event = parseEvent(`breakdown:machine=0,from=${now},to=${now + 20}`);
    const repaired = await repair({ schedule: best.schedule, events: [event], now });
    const plan = parsePlan(writePlanCsv(schedule), 'plan.csv', instance).plan;
    const wrong = { entries: plan.entries.slice(1).map((entry) => ({ ...entry, start: 0 })) };
    const mended = await repairPlan(instance, wrong, { seed: 1 });
    found.push({
      sum: instanceChecksum(instance),
      text: writeInstanceJson(instance),
      first: [rule.name, ...schedule.start],
      inserted: instance.operations > 1000 ? [] : [...insertion(instance).start],
      best: [best.value, best.status, best.lowerBound, ...best.schedule.start],
      feasible: isFeasible(instance, best.schedule.start),
      check: verifyCertificate(certificate, instance),
      random: injectEvents({ instance, severity: 'medium', seed: 7 }),
      repaired: [repaired.phase, ...repaired.schedule.start],
      causes: explainRepair(repaired),
      verdict: validate(instance, wrong, { limit: 20 }),
      mended: [mended.schedule.makespan, ...mended.schedule.start],
      json: writePlanJson(mended.schedule),
    });
  }
  return JSON.stringify(found);
}
