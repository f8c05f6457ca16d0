import { type Dirent, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

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
