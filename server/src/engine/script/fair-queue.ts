/** A queue that serves scripts round-robin, so that a script with a thousand jobs does not delay the others. */
export function fairQueue<T extends { script: string }>() {
  const jobsByScript = new Map<string, T[]>()
  return {
    add: (job: T): void => {
      const jobs = jobsByScript.get(job.script)
      if (jobs) jobs.push(job)
      else jobsByScript.set(job.script, [job])
    },
    take: (): T | undefined => {
      for (const [script, jobs] of jobsByScript) {
        const job = jobs.shift()
        jobsByScript.delete(script)
        if (jobs.length > 0) jobsByScript.set(script, jobs)
        return job
      }
      return undefined
    },
  }
}
