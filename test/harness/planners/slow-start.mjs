// A planner that takes longer to load than it may take to plan.
const end = performance.now() + 1200;
while (performance.now() < end);

export function planner() {
  return { entries: [] };
}
