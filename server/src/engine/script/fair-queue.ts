/** Work in line: scripts take turns, so that one script's thousand jobs wait behind another's first. */
export function fairQueue<T extends { script: string }>() {
  const lines = new Map<string, T[]>()
  return {
    add: (job: T): void => {
      const line = lines.get(job.script)
      if (line) line.push(job)
      else lines.set(job.script, [job])
    },
    take: (): T | undefined => {
      for (const [script, line] of lines) {
        const job = line.shift()
        lines.delete(script)
        if (line.length > 0) lines.set(script, line)
        return job
      }
      return undefined
    },
  }
}
