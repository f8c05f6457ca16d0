/** What one script may use. A caller may give a script less or more CPU time; the rest is the same for all. */
export const limits = {
  /** CPU time of one call, promises included. */
  activationCpuMs: 20,
  cpuMs: 50,
  /** A child answers after about this much CPU time, so that nobody's batch holds a lane for long. */
  turnCpuMs: 50,
  turnItems: 100,
  turnBytes: 1024 * 1024,
  /** Past its deadline a child is waited for, by the clock on the wall. */
  graceMs: 250,
  contextBytes: 4 * 1024 * 1024,
  outputBytes: 64 * 1024,
  outputDepth: 64,
  logChars: 8 * 1024,
  logEntries: 100,
  heapBytes: 32 * 1024 * 1024,
  stackBytes: 256 * 1024,
  /** The wall around the heap, written into the module itself: 64 KiB each. */
  memoryPages: 1024,
  /** Scripts that a child keeps ready, about 0.4 MB each. */
  readyScripts: 128,
  /** The same in V8, some MB each. */
  readyIsolates: 24,
} as const

/** What one child may use. */
export type ChildLimits = {
  /** A child that is older or larger is replaced between two turns. */
  lifeMs: number
  rssBytes: number
  /** CPU time of its whole life, by the system's own account: more than it can use while somebody looks after it. */
  cpuSeconds: number
  /** For the child's own JavaScript. Scripts have their memory elsewhere. */
  heapMegabytes: number
}
export const childLimits: ChildLimits = {
  lifeMs: 10 * 60_000,
  rssBytes: 400 * 1024 * 1024,
  cpuSeconds: 20 * 60,
  heapMegabytes: 128,
}
