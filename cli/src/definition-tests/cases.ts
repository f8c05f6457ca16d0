import { DefinitionTest, issuesOf } from '@tocsin/contract'
import type { Problem } from '../failure.ts'
import { listFiles, readInside } from '../folder/files.ts'
import { type ParsedFile, parseFile } from '../folder/parse-file.ts'
import { isRecord, parsePath } from '../folder/paths.ts'
import type { Folder } from '../folder/read-folder.ts'

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

type TestFile = DefinitionTest & { file: string; parsed: ParsedFile }
type Read = { tests: TestFile[]; problems: Problem[] }

/** The files of `tests/`. Each names a trigger of the folder. */
export function readTests({ stack, entities }: Folder): Read {
  const triggers = new Set(entities.filter(({ kind }) => kind === 'trigger').map(({ name }) => name))
  const reads = listFiles(stack.root, 'tests').map((file) => readTest(stack.root, file, triggers))
  return { tests: reads.flatMap(({ tests }) => tests), problems: reads.flatMap(({ problems }) => problems) }
}

function readTest(root: string, file: string, triggers: ReadonlySet<string>): Read {
  const read = readInside(root, file)
  if ('problem' in read) return { tests: [], problems: [{ file, message: read.problem }] }
  const result = parseFile(file, read.text)
  if ('problems' in result) return { tests: [], problems: result.problems }
  const { parsed } = result
  const at = (path: string, message: string) => ({ file, ...parsed.placeOf(parsePath(path)), path, message })
  const checked = DefinitionTest.safeParse(parsed.value)
  if (!checked.success)
    return { tests: [], problems: issuesOf(checked.error).map(({ path, message }) => at(path, message)) }
  if (!triggers.has(checked.data.trigger))
    return { tests: [], problems: [at('trigger', 'is not a trigger of the folder')] }
  return { tests: [{ ...checked.data, file, parsed }], problems: [] }
}
