/** CPU time of this thread in milliseconds: a busy machine takes nothing from a script, nor do the compiler's threads. */
export const cpuMs: () => number = typeof process.threadCpuUsage === 'function' ? ofThread : ofProcess

function ofThread(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Before Node 22.19 and 23.9 only the whole process can be asked. */
function ofProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
