import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { issuesOf, StackName } from '@tocsin/contract'
import * as z from 'zod'
import { Failure } from '../failure.ts'
import { parseFile } from './parse-file.ts'
import { parsePath } from './paths.ts'
import { readInside } from './read-inside.ts'

export const stackFileName = 'tocsin.yaml'

const StackFile = z.strictObject({
  apiVersion: z.literal(1, 'must be 1: a newer version of tocsin may be needed'),
  server: z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:\/\//.test(text), 'must be an http(s) URL')
    .optional(),
  workspace: z.string().min(1).max(64),
  stack: StackName,
})
export type Stack = z.output<typeof StackFile> & { root: string }

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

function requireStackFolder(cwd: string, folder: string | undefined): string {
  const start = resolve(cwd, folder ?? '.')
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, stackFileName))) return at
    if (folder !== undefined || dirname(at) === at) break
  }
  const where = folder === undefined ? `${start} and the folders above it have` : `${start} has`
  throw new Failure('no_stack', `${where} no ${stackFileName}. Run \`tocsin init\` to start a stack.`)
}
