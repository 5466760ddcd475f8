/** All subsets of at most `most` members, and at least `least`. */
export function subsets<T>(members: readonly T[], most: number, least = 0): T[][] {
  let all: T[][] = [[]];
  for (const member of members) {
    all = [...all, ...all.filter((one) => one.length < most).map((one) => [...one, member])];
  }
  return all.filter((one) => one.length >= least);
}
