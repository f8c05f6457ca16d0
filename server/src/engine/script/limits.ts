/** The limits of one script. A caller can change the CPU time; the other limits are the same for all scripts. */
export const limits = {
  /** The CPU time of one call, including its promises. */
  activationCpuMs: 20,
  cpuMs: 50,
  /** A child answers after about this CPU time, so that a large batch does not block a lane. */
  turnCpuMs: 50,
  turnItems: 100,
  turnBytes: 1024 * 1024,
  /** The wall-clock time after a deadline until a child is killed. */
  graceMs: 250,
  contextBytes: 4 * 1024 * 1024,
  outputBytes: 64 * 1024,
  outputDepth: 64,
  logChars: 8 * 1024,
  logEntries: 100,
  heapBytes: 32 * 1024 * 1024,
  stackBytes: 256 * 1024,
  /** The maximum memory of the WebAssembly module, in pages of 64 KiB. */
  memoryPages: 1024,
  /** The memory for loaded scripts that a child caches: 10 to 30 KB for most scripts, so thousands of them. */
  readyBytes: 48 * 1024 * 1024,
} as const

/** The limits of one child. */
export type ChildLimits = {
  /** A child that has not started by then is ended, unless the machine had no CPU time for it. */
  startMs: number
  /** A child that is older or larger than this is replaced between two turns. */
  lifeMs: number
  rssBytes: number
  /** The CPU time of a child's whole life. The operating system enforces it if the service is gone. */
  cpuSeconds: number
  /** The heap for the child's own JavaScript. Scripts have separate memory. */
  heapMegabytes: number
}
export const childLimits: ChildLimits = {
  startMs: 20_000,
  lifeMs: 10 * 60_000,
  rssBytes: 400 * 1024 * 1024,
  cpuSeconds: 20 * 60,
  heapMegabytes: 128,
}
