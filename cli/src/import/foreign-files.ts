import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type * as z from 'zod'
import { Failure } from '../failure.ts'
import { listFiles } from '../folder/files.ts'
import { parseFile } from '../folder/parse-file.ts'

/** A YAML or JSON file of another tool. `path` is relative to what the user named. */
export type ForeignFile = { path: string; value: unknown }

/**
 * Reads a file, or every file below a folder. A file that cannot be parsed stops the import, with its line and column.
 * Addresses and ids without quotes stay texts.
 */
export function readForeign(path: string): ForeignFile[] {
  const [root, files] = isFolder(path) ? [path, listFiles(path, '.')] : [dirname(path), [basename(path)]]
  const parsed = files.map((file) => ({
    file,
    result: parseFile(file, readFileSync(join(root, file), 'utf8'), { keepsLargeNumbers: true }),
  }))
  const problems = parsed.flatMap(({ result }) => ('problems' in result ? result.problems : []))
  if (problems.length > 0) throw new Failure('invalid_file', 'A file cannot be read.', problems)
  return parsed.flatMap(({ file, result }) => ('parsed' in result ? [{ path: file, value: result.parsed.value }] : []))
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    throw new Failure('not_found', `There is no file or folder ${path}.`)
  }
}

/** A value in the form that a tool documents. Another form stops the import, with the paths of the problems. */
export function readShape<S extends z.ZodType>(schema: S, value: unknown, problem: string): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new Failure('invalid_file', problem, problems)
}
