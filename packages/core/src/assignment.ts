/**
 * The least total cost of a one-to-one assignment of rows to columns: the Hungarian method in the form of shortest
 * augmenting paths (Jonker and Volgenant 1987, doi:10.1007/BF02278710). O(count³). Exact if count × the largest cost is
 * a safe integer.
 *
 * @param cost count × count non-negative integers, row by row
 */
export function minAssignmentCost(count: number, cost: Float64Array): number {
  // Column 0 represents the row to be assigned next; rows and columns count from 1.
  const rowPrice = new Float64Array(count + 1);
  const columnPrice = new Float64Array(count + 1);
  const rowOf = new Int32Array(count + 1);
  const columnBefore = new Int32Array(count + 1);
  const distance = new Float64Array(count + 1);
  const isReached = new Uint8Array(count + 1);

  /** Moves to the nearest unreached column, through the row of `column`. */
  const reachNext = (column: number): number => {
    isReached[column] = 1;
    const row = rowOf[column];
    const base = (row - 1) * count - 1;
    let nearest = 0;
    let least = Infinity;
    for (let j = 1; j <= count; j++) {
      if (isReached[j] === 1) continue;
      const reduced = cost[base + j] - rowPrice[row] - columnPrice[j];
      if (reduced < distance[j]) {
        distance[j] = reduced;
        columnBefore[j] = column;
      }
      if (distance[j] < least) {
        least = distance[j];
        nearest = j;
      }
    }
    for (let j = 0; j <= count; j++) {
      if (isReached[j] === 1) {
        rowPrice[rowOf[j]] += least;
        columnPrice[j] -= least;
      } else distance[j] -= least;
    }
    return nearest;
  };

  for (let row = 1; row <= count; row++) {
    rowOf[0] = row;
    distance.fill(Infinity);
    isReached.fill(0);
    let column = reachNext(0);
    while (rowOf[column] !== 0) column = reachNext(column);
    for (let before: number; column !== 0; column = before) {
      before = columnBefore[column];
      rowOf[column] = rowOf[before];
    }
  }
  let total = 0;
  for (let j = 1; j <= count; j++) total += cost[(rowOf[j] - 1) * count + j - 1];
  return total;
}
