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
