import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { Failure } from '../failure.ts'

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
