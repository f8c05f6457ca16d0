import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Encoding } from '../headers.ts'

export type BuiltFile = { type: string; bytes: Buffer; packed: Partial<Record<Encoding, Buffer>> }

/**
 * Reads the files of a build into memory, by their path below the folder. Files of other types than the given ones are
 * left out. A missing folder has no files.
 */
export function readBuiltFiles(folder: string, types: Readonly<Record<string, string>>): Map<string, BuiltFile> {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
  const files = new Map<string, BuiltFile>()
  for (const entry of entries) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file).split(sep).join('/')
    files.set(path, { type, bytes: readFileSync(file), packed: readPacked(file) })
  }
  return files
}

function readPacked(file: string): BuiltFile['packed'] {
  const read = (name: string) => (existsSync(name) ? readFileSync(name) : undefined)
  const [br, gzip] = [read(`${file}.br`), read(`${file}.gz`)]
  return { ...(br && { br }), ...(gzip && { gzip }) }
}
