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
  /** A child that is older or larger is replaced between two turns. */
  childLifeMs: 10 * 60_000,
  childRssBytes: 400 * 1024 * 1024,
} as const
