/**
 * Flags of Node for threads of pools, which load their module by `import`: Node 20 takes the whole process down if a
 * thread ends while it requires an ES module ("IsGraphAsync must be used on an instantiated module").
 */
export const THREAD_FLAGS: string[] = ['--no-experimental-require-module'];
