import { it } from 'vitest';
import { createMemoryStore, replayRun } from '@alas-jssp/workflow';
import { readTravel } from '../../src/travel/model/travel-problem.js';
import { startTravelService } from '../../src/travel/service/travel-service.js';
import { createTravelClient } from '../../src/travel/service/travel-client.js';
import { tripWorkflow } from '../../src/travel/trip/trip-workflow.js';
import { searchPlanner } from '../../src/travel/trip/propose.js';
import { randomTrip } from './random-trips.js';
it('tries', async () => {
    const file = randomTrip(2);
    const problem = readTravel(file);
      const service = await startTravelService(problem, { });
      const store = createMemoryStore();
      const input = { trip: 'x', plan: null, approve: false, proposals: 3, rounds: 2 };
      const world = { facts: problem.facts, input, store, client: createTravelClient(service.url), planner: searchPlanner, isPure: true, times: { timeout: 5, wait: 0.01 } };
      const { workflow, registry } = tripWorkflow(world);
      const { run } = tripWorkflow(world);
      const result = await run({ ...input, problem: problem.facts as never, events: [] }, { store, runId: 'trip' });
      for (const e of store.read({ runId: 'trip' })) { if (['FailNode','ValidateFail','Catch'].includes(e.eventType)) console.log(e.eventType, e.nodeId, JSON.stringify(e.payload).slice(0, 400)); }
      for (const e of store.read({ runId: 'trip' })) { if (e.nodeId === 'trip[17]/coordinate') console.log(e.eventType, JSON.stringify(e.payload).slice(0, 3400)); }
      await service.stop();
});
