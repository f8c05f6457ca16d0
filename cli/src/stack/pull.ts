import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { changedText, yamlText } from '../folder/file-text.ts'
import { listFiles, writeInside } from '../folder/files.ts'
import { type Entity, entityId, foldersOfKinds, nameOf } from '../folder/kinds.ts'
import { isRecord, mapScalars, type Path, pathText, valueAt } from '../folder/paths.ts'
import type { LocalEntity } from '../folder/read-folder.ts'
import { escapeVariables, hasVariables, includedFile, variable } from '../folder/resolve.ts'
import type { Stack } from '../folder/stack-file.ts'
import { canonicalPayload, tidyPayload } from './canonical.ts'
import { isSecretField, variableName } from './secret-fields.ts'

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

/**
 * Puts what the server has into a file. What means the same stays as it is written: comments, short forms, `{file: …}`
 * and `${env:…}`. A secret of the server is never written: a variable takes its place.
 */
type Merged = {
  raw: Record<string, unknown>
  /** The texts of included files that changed. */
  files: { file: string; text: string }[]
}
/** Names the variable of a secret that has none yet. */
type NameSecret = (path: Path) => string

type Merging = { kind: Entity['kind']; local: LocalEntity | undefined; nameSecret: NameSecret; files: Merged['files'] }
type Fields = Record<string, unknown>

function mergeEntity(server: Entity, local: LocalEntity | undefined, nameSecret: NameSecret): Merged {
  const merging: Merging = { kind: server.kind, local, nameSecret, files: [] }
  const raw = local
    ? mergeFields(merging, local.raw, nextFields(server, local), [])
    : mergeFields(merging, {}, tidyPayload(server.kind, server.payload), [])
  return { raw, files: merging.files }
}

/** The fields of the file that the server has too, in the order of the file, then the other fields of the server. */
function mergeFields(merging: Merging, raw: Fields, next: Fields, path: Path): Fields {
  const kept = Object.keys(raw).filter((key) => next[key] !== undefined)
  const added = Object.keys(next).filter((key) => next[key] !== undefined && !Object.hasOwn(raw, key))
  return Object.fromEntries([
    ...kept.map((key) => [key, mergeValue(merging, raw[key], next[key], [...path, key])]),
    ...added.map((key) => [key, writeValue(merging, next[key], [...path, key])]),
  ])
}

function mergeValue(merging: Merging, raw: unknown, next: unknown, path: Path): unknown {
  const { kind, local, files } = merging
  const isVariable = typeof raw === 'string' && hasVariables(raw)
  if (isVariable && (isSecretField(kind, path, next) || keepsVariable(local, path, next))) return raw
  const include = local?.includes.find((each) => isDeepStrictEqual(each.path, path))
  if (include && includedFile(kind, path, raw) !== undefined) {
    const text = textFor(include.file, valueAt(local?.payload, path), next)
    if (text !== undefined) files.push({ file: include.file, text })
    return raw
  }
  if (Array.isArray(raw) && Array.isArray(next)) return mergeList(merging, raw, next, path)
  if (isRecord(raw) && isRecord(next)) return mergeFields(merging, raw, next, path)
  return isDeepStrictEqual(raw, next) ? raw : writeValue(merging, next, path)
}

function mergeList(merging: Merging, raw: readonly unknown[], next: readonly unknown[], path: Path): unknown[] {
  return next.map((each, index) =>
    index < raw.length
      ? mergeValue(merging, raw[index], each, [...path, index])
      : writeValue(merging, each, [...path, index]),
  )
}

/** A value of the server as a file has it. */
function writeValue(merging: Merging, value: unknown, path: Path): unknown {
  return mapScalars(
    value,
    (scalar, at) => {
      if (isSecretField(merging.kind, at, scalar)) return variable(merging.nameSecret(at))
      return typeof scalar === 'string' ? escapeVariables(scalar) : scalar
    },
    path,
  )
}

/** The server's fields. One that the file has with the same meaning is as in the file, however short it is written. */
function nextFields(server: Entity, local: LocalEntity): Record<string, unknown> {
  const here = canonicalPayload(server.kind, local.payload)
  const tidy = tidyPayload(server.kind, server.payload)
  const inFile = Object.keys(local.raw).map((key): [string, unknown] => {
    // The server shows the data of a resource to admins alone. What it does not show stays in the file.
    const isHidden = server.kind === 'resource' && key === 'data' && server.payload.data === undefined
    const isSame = isHidden || isDeepStrictEqual(here[key], server.payload[key]) || key === 'status' || key === 'mode'
    return [key, isSame ? (local.payload[key] ?? local.raw[key]) : (tidy[key] ?? server.payload[key])]
  })
  return { ...tidy, ...Object.fromEntries(inFile) }
}

/** A variable that is not set may have the value of the server. */
function keepsVariable(local: LocalEntity | undefined, path: Path, next: unknown): boolean {
  const here = valueAt(local?.payload, path)
  return here === next || (typeof here === 'string' && hasVariables(here))
}

/** The new text of an included file, or undefined if the server has the same. */
function textFor(file: string, here: unknown, next: unknown): string | undefined {
  const value = isRecord(next) && next.language === 'javascript' ? next.source : next
  if (isDeepStrictEqual(value, here)) return undefined
  return typeof value === 'string' && !file.endsWith('.json') ? value : `${JSON.stringify(value, null, 2)}\n`
}

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
