import { readdirSync } from 'node:fs'

/**
 * The benchmarks in the order of the table, with their arguments in `all` and in `all --quick`. One that is not listed
 * comes last, without arguments.
 */
const listed: Record<string, { full?: string[]; quick?: string[] }> = {
  'fan-out': { quick: ['10', '100', '1000'] },
  lists: { full: ['10000000'], quick: ['1000000', '--rounds', '5'] },
  idle: { quick: ['10', '20'] },
  sources: {},
  'catch-up': { quick: ['20000'] },
  latency: {},
  throughput: { quick: ['--events', '20000'] },
  match: { full: ['--all'] },
  scripts: { quick: ['--calls', '500'] },
  processes: { quick: ['--events', '8000'] },
  outages: {},
  calls: { quick: ['10'] },
  hostile: { quick: ['101'] },
  mailboxes: { quick: ['--pairs', '100'] },
  console: {},
}

export type Bench = { name: string; args: string[] }

/** Every file `bench/<name>.ts` is a benchmark, so a new one is part of `all` without further work. */
export function listBenches(isQuick: boolean): Bench[] {
  const found = readdirSync('bench').flatMap((file) => file.match(/^(.+)\.ts$/)?.[1] ?? [])
  const names = new Set([...Object.keys(listed), ...found])
  return [...names]
    .filter((name) => found.includes(name) && name !== 'all')
    .map((name) => ({ name, args: listed[name]?.[isQuick ? 'quick' : 'full'] ?? [] }))
}
