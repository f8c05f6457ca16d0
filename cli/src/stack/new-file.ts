import { join } from 'node:path'
import { type Entity, foldersOfKinds, nameOf } from '../folder/kinds.ts'
import { listFiles } from '../folder/list-files.ts'
import type { Stack } from '../folder/stack-file.ts'

/**
 * The file of an entity that has none yet. The workspace is the same for all files of a stack, so their names leave it
 * out.
 */
export function newFile(stack: Stack, entity: Entity): string {
  const folder = foldersOfKinds[entity.kind]
  const prefix = `${stack.workspace}.`
  const fullname = nameOf(entity)
  const name = fullname.startsWith(prefix) ? fullname.slice(prefix.length) : fullname
  const taken = new Set(listFiles(stack.root, folder).map((file) => file.toLowerCase()))
  let file = join(folder, `${name}.yaml`)
  for (let number = 2; taken.has(file.toLowerCase()); number++) file = join(folder, `${name}-${number}.yaml`)
  return file
}
