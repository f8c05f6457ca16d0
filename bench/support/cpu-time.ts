import { median } from './measure.ts'

/** CPU milliseconds of one call: the median of five rounds, each long enough for the kernel's account to be fair. */
export function cpuMs(work: () => void, roundMs = 150): number {
  for (let warm = 0; warm < 5; warm++) work()
  return median(Array.from({ length: 5 }, () => oneRound(work, roundMs)))
}

function oneRound(work: () => void, roundMs: number): number {
  const before = process.cpuUsage()
  let [calls, usedMs] = [0, 0]
  while (usedMs < roundMs) {
    work()
    calls++
    const { user, system } = process.cpuUsage(before)
    usedMs = (user + system) / 1000
  }
  return usedMs / calls
}

/** The same for work on a thing that is used once: it is made anew for every call, and only the work is counted. */
export function cpuMsOnFresh<T>(make: () => T, work: (fresh: T) => void, rounds = 9, callsPerRound = 24): number {
  const one = () => {
    let usedMs = 0
    for (let call = 0; call < callsPerRound; call++) {
      const fresh = make()
      const before = process.cpuUsage()
      work(fresh)
      const { user, system } = process.cpuUsage(before)
      usedMs += (user + system) / 1000
    }
    return usedMs / callsPerRound
  }
  for (let warm = 0; warm < 3; warm++) one()
  return median(Array.from({ length: rounds }, one))
}
