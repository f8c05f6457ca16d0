import { isRecord } from '../folder/paths.ts'
import type { TestFile } from './test-file.ts'

/** One block of a test, and what the trigger must do in it. */
export type Case = {
  test: TestFile
  path: (string | number)[]
  block: number
  mustFire: boolean
  count?: number
  raw?: unknown
}
/** What the trigger did in a block: how often it fired, with which outputs, or why it could not run. */
export type Seen = { fired: number; raws: unknown[]; problems: string[] }
export type CaseResult = { file: string; line: number; trigger: string; block: number; ok: boolean; message: string }

export function casesOf(tests: readonly TestFile[]): Case[] {
  return tests.flatMap((test) => [
    ...test.mustFire.map((wanted, index) => ({ test, path: ['mustFire', index], mustFire: true, ...wanted })),
    ...test.mustNotFire.map(({ block }, index) => ({ test, path: ['mustNotFire', index], mustFire: false, block })),
  ])
}

export function judge(wanted: Case, seen: Seen): CaseResult {
  const { test, path, block } = wanted
  const wrong = whatIsWrong(wanted, seen)
  const message = wrong ?? (wanted.mustFire ? `fired ${times(seen.fired)}` : 'did not fire')
  const { line } = test.parsed.placeOf(path)
  return { file: test.file, line, trigger: test.trigger, block, ok: wrong === undefined, message }
}

function whatIsWrong({ mustFire, count, raw }: Case, { fired, raws, problems }: Seen): string | undefined {
  if (problems.length > 0) return problems.join('; ')
  if (!mustFire) return fired === 0 ? undefined : `must not fire, but fired ${times(fired)}`
  if (fired === 0) return 'must fire, but did not'
  if (count !== undefined && fired !== count) return `must fire ${times(count)}, but fired ${times(fired)}`
  if (raw === undefined || raws.some((each) => isPartOf(raw, each))) return undefined
  return `no output has ${JSON.stringify(raw)}; the outputs are ${JSON.stringify(raws.slice(0, 3))}`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** True if every field of the part is in the whole with the same value. Lists must have the same length. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(whole) && part.length === whole.length && part.every((each, index) => isPartOf(each, whole[index]))
    )
  if (!isRecord(part)) return Object.is(part, whole)
  return (
    isRecord(whole) &&
    Object.entries(part).every(([key, each]) => Object.hasOwn(whole, key) && isPartOf(each, whole[key]))
  )
}
