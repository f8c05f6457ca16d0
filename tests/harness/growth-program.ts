/**
 * Prints how often the code runs while each parser of foreign formats reads a hostile text, by the size of the text. V8
 * counts the runs of each block of code; it counts only code that is loaded afterwards, so this is a program of its own.
 */
import { Session } from 'node:inspector/promises'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

const { cases } = await import('./growth-cases.ts')

async function runsOf(work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  let runs = 0
  for (const { url, functions } of result)
    if (url.startsWith('file:')) for (const { ranges } of functions) for (const { count } of ranges) runs += count
  return runs
}

for (const { name, sizes, make, work } of cases) {
  // The first call loads libraries and fills caches.
  await work(make(1) as never)
  for (const size of sizes) {
    const input = make(size)
    const characters = typeof input === 'string' ? input.length : JSON.stringify(input).length
    console.log(JSON.stringify({ name, characters, runs: await runsOf(() => work(input as never)) }))
  }
}
