import { DefinitionTest, issuesOf } from '@tocsin/contract'
import type { Problem } from '../failure.ts'
import { listFiles } from '../folder/list-files.ts'
import { type ParsedFile, parseFile } from '../folder/parse-file.ts'
import { parsePath } from '../folder/paths.ts'
import type { Folder } from '../folder/read-folder.ts'
import { readInside } from '../folder/read-inside.ts'

export type TestFile = DefinitionTest & { file: string; parsed: ParsedFile }
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
