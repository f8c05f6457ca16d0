import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { issuesOf, StackFile } from '@tocsin/contract'
import { Failure } from '../failure.ts'
import { readInside } from './files.ts'
import { parseFile } from './parse-file.ts'
import { parsePath } from './paths.ts'

export const stackFileName = 'tocsin.yaml'

export type Stack = StackFile & { root: string }

/** Reads `tocsin.yaml` of the folder, or of the nearest folder above this one if none is named. */
export function readStack(cwd: string, folder: string | undefined): Stack {
  const root = realpathSync(requireStackFolder(cwd, folder))
  const read = readInside(root, stackFileName)
  if ('problem' in read) throw new Failure('invalid_folder', `${stackFileName}: ${read.problem}.`)
  const file = parseFile(stackFileName, read.text)
  if ('problems' in file) throw new Failure('invalid_folder', `${stackFileName} cannot be read.`, file.problems)
  const checked = StackFile.safeParse(file.parsed.value ?? {})
  if (checked.success) return { ...checked.data, root }
  const problems = issuesOf(checked.error).map(({ path, message }) => {
    const place = file.parsed.placeOf(parsePath(path))
    return { file: stackFileName, ...place, path, message }
  })
  throw new Failure('invalid_folder', `${stackFileName} is not valid.`, problems)
}

export function existsStack(cwd: string): boolean {
  return findStackFolder(cwd, undefined) !== undefined
}

function requireStackFolder(cwd: string, folder: string | undefined): string {
  const found = findStackFolder(cwd, folder)
  if (found !== undefined) return found
  const start = resolve(cwd, folder ?? '.')
  const where = folder === undefined ? `${start} and the folders above it have` : `${start} has`
  throw new Failure('no_stack', `${where} no ${stackFileName}. Run \`tocsin init\` to start a stack.`)
}

/** A folder that is named is taken as it is. Otherwise folders above this one count too. */
function findStackFolder(cwd: string, folder: string | undefined): string | undefined {
  for (let at = resolve(cwd, folder ?? '.'); ; at = dirname(at)) {
    if (existsSync(join(at, stackFileName))) return at
    if (folder !== undefined || dirname(at) === at) return undefined
  }
}
