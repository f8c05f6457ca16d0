import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefinitionKind } from '@tocsin/contract'
import { isObject } from '../../engine/base/is-object.ts'

export const marketplaceFolder = fileURLToPath(new URL('../../../../marketplace', import.meta.url))

export type Definition = { kind: DefinitionKind; payload: Record<string, unknown> }
type DefinitionFile = { kind: DefinitionKind; path: string; text: string }

const folders: readonly [string, DefinitionKind][] = [
  ['projects', 'project'],
  ['triggers', 'trigger'],
  ['templates', 'template'],
]

/** The definition files of the folder, always in the same order. */
export function readFiles(folder: string): DefinitionFile[] {
  return folders.flatMap(([name, kind]) =>
    filesBelow(join(folder, name)).map((path) => ({
      kind,
      path: relative(folder, path),
      text: readFileSync(path, 'utf8'),
    })),
  )
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Changes with every change of a file, so that an unchanged folder is read and not applied. */
export function digestOf(files: readonly DefinitionFile[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex')
}

/** The parser is loaded only if a file has changed, so that other starts do not wait for it. */
export async function parseFiles(files: readonly DefinitionFile[]): Promise<Definition[]> {
  const { parse } = await import('yaml')
  return files.map(({ kind, path, text }) => {
    const payload: unknown = parse(text)
    if (!isObject(payload)) throw new Error(`The file ${path} of the marketplace holds no definition.`)
    return { kind, payload }
  })
}
