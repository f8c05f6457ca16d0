import { readFileSync, realpathSync, statSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'

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
