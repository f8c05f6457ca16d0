/** The CPU time of this thread in milliseconds. A busy machine and the compiler's threads do not count against a script. */
export const cpuMs: () => number = typeof process.threadCpuUsage === 'function' ? readThreadCpuMs : readProcessCpuMs

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Older versions of Node than 22.19 and 23.9 measure only the whole process. */
function readProcessCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
