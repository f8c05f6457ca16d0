import {
  type Dirent,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Failure } from '../failure.ts'

/** The YAML and JSON files below a folder of the stack, in the order of their names. Hidden files do not count. */
export function listFiles(root: string, folder: string): string[] {
  return entriesOf(join(root, folder))
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return listFiles(root, path)
      return /\.(ya?ml|json)$/.test(entry.name) ? [relative(root, join(root, path))] : []
    })
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

export type ReadText = { text: string; file: string } | { problem: string }

/**
 * Reads a file of the folder. Links are followed before the check, so that neither `..` nor a link leads outside.
 * `root` is a real path.
 */
export function readInside(root: string, path: string): ReadText {
  const wanted = resolve(root, path)
  const shown = relative(root, wanted)
  if (!isInside(root, wanted)) return { problem: `"${shown}" is outside the folder of the stack` }
  try {
    const real = realpathSync(wanted)
    if (!isInside(root, real)) return { problem: `"${shown}" is a link to a file outside the folder of the stack` }
    if (!statSync(real).isFile()) return { problem: `"${shown}" is not a file` }
    return { text: readFileSync(real, 'utf8').replace(/^\uFEFF/, ''), file: shown }
  } catch (error) {
    return { problem: isMissing(error) ? `"${shown}" does not exist` : `"${shown}" cannot be read` }
  }
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/**
 * Writes a file of the folder. It is written aside and renamed, so that a killed command leaves the old file, and a link
 * is replaced, not followed. `root` is a real path.
 */
export function writeInside(root: string, file: string, text: string): void {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  const folder = realpathSync(dirname(path))
  if (folder !== root && !folder.startsWith(`${root}${sep}`))
    throw new Failure('outside_folder', `${dirname(file)} is a link to a folder outside the folder of the stack.`)
  const aside = join(folder, `.${basename(file)}.${process.pid}`)
  try {
    writeFileSync(aside, text)
    renameSync(aside, join(folder, basename(file)))
  } finally {
    rmSync(aside, { force: true })
  }
}
