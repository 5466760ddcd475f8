// A mock of a model that answers with two operations and stops.
export const planner = {
  name: 'two-operations',
  async plan({ jobOffset, machine, duration }) {
    const entries = [0, 1].map((job) => {
      const op = jobOffset[job];
      return { job, step: 0, machine: machine[op], start: 0, end: duration[op] };
    });
    return { entries };
  },
};
