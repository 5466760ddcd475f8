// A planner that takes longer to load than it may take to plan.
await new Promise((resolve) => setTimeout(resolve, 2500));

export function planner() {
  return { entries: [] };
}
