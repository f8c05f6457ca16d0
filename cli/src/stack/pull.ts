import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { changedText, yamlText } from '../folder/file-text.ts'
import { type Entity, entityId, nameOf } from '../folder/kinds.ts'
import { type Path, pathText } from '../folder/paths.ts'
import type { LocalEntity } from '../folder/read-folder.ts'
import type { Stack } from '../folder/stack-file.ts'
import { writeInside } from '../folder/write-inside.ts'
import { mergeEntity } from './merge.ts'
import { newFile } from './new-file.ts'
import { variableName } from './secret-fields.ts'

export type PulledFile = {
  file: string
  kind: Entity['kind']
  fullname: string
  action: 'created' | 'updated' | 'unchanged' | 'removed' | 'kept'
}
export type PulledVariable = { name: string; kind: Entity['kind']; fullname: string; path: string }
export type Pulled = { files: PulledFile[]; variables: PulledVariable[] }
export type PullOptions = {
  /** Names of entities whose files need no change, because a plan finds none. */
  settled: ReadonlySet<string>
  stack: Stack
  server: readonly Entity[]
  local: readonly LocalEntity[]
  prune: boolean
  schemasUrl: string
}

/** Writes the entities of the server into the folder. Files that mean the same already are not touched. */
export function pullInto(options: PullOptions): Pulled {
  const { stack, server, local, prune } = options
  const taken = new Set(local.flatMap(({ variables }) => variables.map(({ name }) => name)))
  const pulled: Pulled = { files: [], variables: [] }
  for (const entity of server) {
    const fullname = nameOf(entity)
    const here = local.find((each) => each.kind === entity.kind && each.name === fullname)
    const nameSecret = (path: Path) => {
      const name = variableName(fullname, path, taken)
      taken.add(name)
      pulled.variables.push({ name, kind: entity.kind, fullname, path: pathText(path) })
      return name
    }
    const isSettled = here !== undefined && options.settled.has(entityId(entity))
    const written = isSettled
      ? [{ file: here.parsed.file, action: 'unchanged' as const }]
      : writeEntity(options, entity, here, nameSecret)
    pulled.files.push(...written.map((each) => ({ kind: entity.kind, fullname, ...each })))
  }
  const names = new Set(server.map(entityId))
  for (const { kind, name, parsed } of local.filter((each) => !names.has(entityId(each)))) {
    if (prune) rmSync(join(stack.root, parsed.file))
    pulled.files.push({ file: parsed.file, kind, fullname: name, action: prune ? 'removed' : 'kept' })
  }
  return pulled
}

/** Returns the file of the entity, and the files that it names by `{file: …}` if they change. */
function writeEntity(
  { stack, schemasUrl }: PullOptions,
  entity: Entity,
  local: LocalEntity | undefined,
  nameSecret: (path: Path) => string,
): Pick<PulledFile, 'file' | 'action'>[] {
  const { raw, files } = mergeEntity(entity, local, nameSecret)
  for (const { file, text } of files) writeInside(stack.root, file, text)
  const named = files.map(({ file }) => ({ file, action: 'updated' as const }))
  if (!local) {
    const file = newFile(stack, entity)
    const hint = `# yaml-language-server: $schema=${schemasUrl}/api/schemas/${entity.kind}.json\n`
    writeInside(stack.root, file, `${hint}${yamlText(raw)}`)
    return [{ file, action: 'created' }, ...named]
  }
  const { file, text } = local.parsed
  const isSame = isDeepStrictEqual(raw, local.raw)
  if (!isSame) writeInside(stack.root, file, changedText(file, text, local.raw, raw))
  return [{ file, action: isSame ? 'unchanged' : 'updated' }, ...named]
}
