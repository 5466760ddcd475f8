import { constraintsOf, labelsOf } from 'alas-jssp/internal/service';
import { boundsFor, lowerBound, machineLoads, writeInstanceJson } from 'alas-jssp/jssp';
import * as z from 'zod';
import { instanceInput } from '../inputs.js';
import { readGivenInstance } from '../requests.js';
import { threadTool, WORST } from '../tool.js';

/** Summarizes an instance. */
export const showInstance = threadTool({
  name: 'show_instance',
  title: 'Show an instance',
  description:
    'Shows the size of an instance, its constraints, its bounds and its ten busiest machines. The address in `document` has all of its operations.',
  role: 'view',
  input: z.object({ instance: instanceInput }),
  answer: z.object({
    instance: z.string(),
    jobs: z.number(),
    machines: z.number(),
    operations: z.number(),
    total_work: z.number(),
    constraints: z.array(z.string()),
    time_scale: z.object({ epoch: z.string(), unit: z.number(), zone: z.string() }).nullable(),
    best_known: z.object({ lower_bound: z.number(), upper_bound: z.number() }).nullable(),
    lower_bound: z.number(),
    busiest: z.array(z.object({ machine: z.string(), operations: z.number(), load: z.number() })),
    more: z.number().describe('Machines that are not listed'),
    document: z.object({ uri: z.string() }),
  }),
  perform: async ({ instance: given }, setting) => {
    const instance = readGivenInstance(given, setting);
    const loads = machineLoads(instance);
    const labels = labelsOf(instance);
    const { name, jobs, machines, operations, machineOffset, timeScale } = instance;
    const busiest = Array.from(loads, (load, k) => ({
      machine: labels.machine(k),
      operations: machineOffset[k + 1] - machineOffset[k],
      load,
    })).sort((a, b) => b.load - a.load);
    const known = boundsFor(instance);
    const constraints = constraintsOf(instance);
    return {
      answer: {
        instance: name,
        jobs,
        machines,
        operations,
        total_work: loads.reduce((sum, load) => sum + load, 0),
        constraints,
        time_scale: timeScale,
        best_known: known && { lower_bound: known.lower, upper_bound: known.upper },
        lower_bound: lowerBound(instance).value,
        busiest: busiest.slice(0, WORST),
        more: Math.max(0, busiest.length - WORST),
        document: { uri: '#instance' },
      },
      documents: {
        instance: {
          name: 'instance',
          description: 'The whole instance, as JSON',
          text: writeInstanceJson(instance),
        },
      },
    };
  },
});
