import { it } from 'vitest';
import { createMemoryStore, replayRun } from '@alas-jssp/workflow';
import { readTravel } from '../../src/travel/model/travel-problem.js';
import { startTravelService } from '../../src/travel/service/travel-service.js';
import { createTravelClient } from '../../src/travel/service/travel-client.js';
import { tripWorkflow } from '../../src/travel/trip/trip-workflow.js';
import { searchPlanner } from '../../src/travel/trip/propose.js';
import { parseDeskFault } from '../../src/travel/service/desk-faults.js';
import { randomTrip } from './random-trips.js';
import { planTravel } from '../../src/travel/plan/plan-travel.js';
it('tries', async () => {
  for (let seed = 0; seed < 40; seed++) {
    const file = randomTrip(seed);
    const problem = readTravel(file);
    if (planTravel(problem).status !== 'optimal' || problem.stays.length < 2) continue;
    for (const fault of ['slow:none', 'sold_out:hotel', 'lost_answer:train', 'double_booking:flight', 'false_answer:hotel', 'wrong_price:train', 'busy:*:2', 'price_change:flight', 'lost_request:hotel:9','stuck:*:2']) {
      const service = await startTravelService(problem, { faults: [parseDeskFault(fault)] });
      const store = createMemoryStore();
      const input = { trip: 'x', plan: null, approve: false, proposals: 3, rounds: 2 };
      const world = { facts: problem.facts, input, store, client: createTravelClient(service.url), planner: searchPlanner, isPure: true, times: { timeout: 5, wait: 0.01 } };
      const { workflow, registry } = tripWorkflow(world);
      const { run } = tripWorkflow(world);
      const t = performance.now();
      const result = await run({ ...input, problem: problem.facts as never, events: [] }, { store, runId: 'trip' });
      const out = result.outputOf('end') as any;
      console.log(seed, fault, result.status, result.error?.message, out?.held.map((h: any) => h.id + h.booking.kind + h.reference).join(' '), out?.lost, out?.spending, service.bookings().map((b) => b.reference + b.state).join(' '), result.versions, Math.round(performance.now() - t), result.waitsFor);
      const replay = await replayRun(store, 'trip', { registry });
      if (!replay.parity) console.log(JSON.stringify(replay));
      await service.stop();
    }
    break;
  }
});
