/** Variables by their participation in recent conflicts (VSIDS, Moskewicz et al. 2001, doi:10.1145/378239.379017). */
export interface Activity {
  /** Records that a variable took part in a conflict. */
  bump(variable: number): void;
  /** Reduces the weight of earlier conflicts. */
  decay(): void;
  /** Returns a variable to the candidates. */
  insert(variable: number): void;
  /** Removes and returns the most active candidate; −1 if there is none. */
  take(): number;
}

const DECAY = 0.95;
const TOO_LARGE = 1e100;

/** Creates a binary heap of all variables. */
export function createActivity(initial: Float64Array): Activity {
  const count = initial.length;
  const activity = initial.slice();
  const heap = new Int32Array(count);
  const place = new Int32Array(count).fill(-1);
  let size = 0;
  let step = 1;

  const rise = (from: number): void => {
    const variable = heap[from];
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (activity[heap[parent]] >= activity[variable]) break;
      heap[at] = heap[parent];
      place[heap[at]] = at;
      at = parent;
    }
    heap[at] = variable;
    place[variable] = at;
  };

  const sink = (from: number): void => {
    const variable = heap[from];
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && activity[heap[child + 1]] > activity[heap[child]]) child++;
      if (activity[heap[child]] <= activity[variable]) break;
      heap[at] = heap[child];
      place[heap[at]] = at;
      at = child;
    }
    heap[at] = variable;
    place[variable] = at;
  };

  const insert = (variable: number): void => {
    if (place[variable] >= 0) return;
    heap[size] = variable;
    rise(size++);
  };

  for (let variable = 0; variable < count; variable++) insert(variable);
  return {
    bump: (variable) => {
      activity[variable] += step;
      if (activity[variable] > TOO_LARGE) {
        for (let x = 0; x < count; x++) activity[x] /= TOO_LARGE;
        step /= TOO_LARGE;
      }
      if (place[variable] >= 0) rise(place[variable]);
    },
    decay: () => {
      step /= DECAY;
    },
    insert,
    take: () => {
      if (size === 0) return -1;
      const variable = heap[0];
      place[variable] = -1;
      size--;
      if (size > 0) {
        heap[0] = heap[size];
        sink(0);
      }
      return variable;
    },
  };
}
