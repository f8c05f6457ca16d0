import { readdirSync } from 'node:fs'

/** The arguments of a benchmark in `all` and in `all --quick`. A benchmark without an entry gets none in either. */
const argumentsOf: Record<string, { full?: string[]; quick?: string[] }> = {
  'fan-out': { quick: ['100', '1000'] },
  lists: { full: ['10000000'], quick: ['100000'] },
}

/** These run for an hour, or they need a browser's patience; each is measured by itself. */
const leftOut = ['all', 'soak', 'console-soak']

export type Bench = { name: string; args: string[] }

/** Every benchmark of this folder is a file `bench/<name>.ts`, so a new one is part of `all` without further work. */
export function listBenches(isQuick: boolean): Bench[] {
  const names = readdirSync('bench').flatMap((file) => file.match(/^(.+)\.ts$/)?.[1] ?? [])
  return names
    .filter((name) => !leftOut.includes(name))
    .map((name) => ({ name, args: argumentsOf[name]?.[isQuick ? 'quick' : 'full'] ?? [] }))
}
