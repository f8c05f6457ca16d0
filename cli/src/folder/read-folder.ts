/** The folder of a stack as entities, with the place of everything that is wrong in its files. */
import type { DefinitionKind } from '@tocsin/contract'
import { Failure, type Problem } from '../failure.ts'
import { checkPayload } from './check-entity.ts'
import { listFiles, readInside } from './files.ts'
import { type Entity, foldersOfKinds, kinds, nameOf } from './kinds.ts'
import { type ParsedFile, parseFile } from './parse-file.ts'
import { isRecord, pathText } from './paths.ts'
import { type Env, type Resolved, resolvePayload } from './resolve.ts'
import { readStack, type Stack } from './stack-file.ts'

/** One file of the folder: the entity with variables and files filled in, and what it was made of. */
export type LocalEntity = Entity &
  Pick<Resolved, 'includes' | 'variables'> & { name: string; parsed: ParsedFile; raw: Record<string, unknown> }
export type Folder = { stack: Stack; entities: LocalEntity[] }

export type ReadOptions = { cwd: string; folder: string | undefined; env: Env }

/** Reads the folder, or fails with everything that is wrong in it. */
export function readFolder(options: ReadOptions): Folder {
  const stack = readStack(options.cwd, options.folder)
  const { entities, problems } = readEntities(stack, options.env)
  requireNoProblems(problems)
  return { stack, entities }
}

export function requireNoProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  throw new Failure('invalid_folder', `The files have ${count}.`, problems)
}

/** A lenient reader takes variables that are not set, and leaves the check of the payloads out. */
export type Leniency = { isLenient?: boolean }

type Read = { entities: LocalEntity[]; problems: Problem[] }

export function readEntities(stack: Stack, env: Env, leniency: Leniency = {}): Read {
  const reads = kinds.flatMap((kind) =>
    listFiles(stack.root, foldersOfKinds[kind]).map((file) => readEntity(stack, kind, file, env, leniency)),
  )
  // A JSON file beside the triggers may be the ABI of one of them.
  const included = new Set(
    reads.flatMap(({ entities }) => entities.flatMap(({ includes }) => includes.map(({ file }) => file))),
  )
  const own = reads.filter(({ file }) => !included.has(file))
  const entities = own.flatMap((read) => read.entities)
  return { entities, problems: [...own.flatMap((read) => read.problems), ...doubled(entities)] }
}

function readEntity(
  stack: Stack,
  kind: DefinitionKind,
  file: string,
  env: Env,
  { isLenient = false }: Leniency,
): Read & { file: string } {
  const read = readInside(stack.root, file)
  if ('problem' in read) return { file, entities: [], problems: [{ file, message: read.problem }] }
  const result = parseFile(file, read.text)
  if ('problems' in result) return { file, entities: [], problems: result.problems }
  const { parsed } = result
  const resolved = resolvePayload(stack.root, kind, parsed, env, isLenient)
  // A payload with a hole would be refused a second time, for what is missing in it.
  const isChecked = !isLenient && resolved.problems.length === 0
  const found = isChecked ? checkPayload(kind, resolved.payload, stack.workspace) : resolved.problems
  const problems = found.map(({ path, message }) => ({ file, ...parsed.placeOf(path), path: pathText(path), message }))
  if (!isRecord(resolved.payload) || !isRecord(parsed.value)) return { file, entities: [], problems }
  const { mode: _, ...payload } = resolved.payload
  const entity = { kind, payload: kind === 'source' ? payload : resolved.payload }
  const { includes, variables } = resolved
  return {
    file,
    problems,
    entities: [{ ...entity, name: nameOf(entity), raw: parsed.value, parsed, includes, variables }],
  }
}

function doubled(entities: readonly LocalEntity[]): Problem[] {
  const fileOf = new Map<string, string>()
  return entities.flatMap(({ kind, name, parsed }) => {
    const [key, { file }] = [`${kind} ${name}`, parsed]
    const first = fileOf.get(key)
    if (first === undefined) fileOf.set(key, file)
    if (first === undefined || name === '') return []
    return [{ file, line: 1, column: 1, message: `defines the ${kind} ${name}, which ${first} defines too` }]
  })
}
