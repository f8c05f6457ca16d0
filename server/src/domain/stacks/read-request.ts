import { type DefinitionKind, type Issue, stackLabel } from '@tocsin/contract'
import { waitForTurn } from '../../engine/base/event-loop-turns.ts'
import { isObject } from '../../engine/base/json.ts'
import type { DefinitionNoun, ReadDefinition, StackContext, Write } from '../definition-noun.ts'
import type { Context } from '../handler.ts'
import { collectRefusal, type Refused } from './refused.ts'

type Sent = Context<'planStack'>['body']['entities'][number]
type Readable = Extract<ReadDefinition, { ok: true }>

/** An entity of the request that can be saved. */
export type Entity = {
  kind: DefinitionKind
  name: string
  /** An entity of the same kind that is saved first, if the request has it. */
  saveAfter: string | undefined
  project: string | undefined
  write: Write
}
/** The request with everything that is checked before the transaction. `names` includes entities that have issues. */
export type ReadRequest = Refused & {
  entities: Entity[]
  names: ReadonlySet<string>
  /** What the plan's hash covers: a hash for each entity of the request. */
  sent: { prune: boolean; hashes: string[] }
}

export function nameOf(kind: DefinitionKind, name: string): string {
  return `${kind} ${name}`
}

export async function readRequest(
  nouns: readonly DefinitionNoun[],
  context: StackContext,
  { entities, prune }: Pick<Context<'planStack'>['body'], 'entities' | 'prune'>,
): Promise<ReadRequest> {
  const refused: Refused = { issues: [], forbidden: undefined }
  const names = new Set<string>()
  const read: Entity[] = []
  const hashes: string[] = []
  for (const [index, sent] of entities.entries()) {
    await waitForTurn()
    const { kind } = sent
    const noun = nouns.find((noun) => noun.kind === kind)
    const shownName = nameIn(sent) ?? `entities.${index}`
    const definition = await noun?.read(context, sent.payload)
    if (definition) hashes.push(definition.hash)
    const issues = definition ? findIssues(definition, context, names.has(nameOf(kind, shownName))) : []
    names.add(nameOf(kind, shownName))
    refused.issues.push(...issues.map((issue) => ({ kind, fullname: shownName, ...issue })))
    if (!definition?.ok || issues.length > 0) continue
    const { name, saveAfter, payload } = definition
    const write = await collectRefusal(refused, { kind, fullname: name }, () => definition.prepare(context))
    if (write) read.push({ kind, name, saveAfter, project: textOf(payload.project), write })
  }
  // In one order for all applies, so that two of them do not wait for each other's locks.
  read.sort((one, other) => (one.name < other.name ? -1 : 1))
  return { ...refused, entities: inSaveOrder(read), names, sent: { prune, hashes } }
}

/** Moves an entity before those that name it. Two that name each other keep their order, and the save of the first is refused. */
function inSaveOrder(entities: readonly Entity[]): Entity[] {
  const waiting = new Map(entities.map((entity) => [nameOf(entity.kind, entity.name), entity]))
  const ordered: Entity[] = []
  const add = (entity: Entity) => {
    if (!waiting.delete(nameOf(entity.kind, entity.name))) return
    const first = entity.saveAfter === undefined ? undefined : waiting.get(nameOf(entity.kind, entity.saveAfter))
    if (first) add(first)
    ordered.push(entity)
  }
  for (const entity of entities) add(entity)
  return ordered
}

function findIssues(definition: ReadDefinition, context: StackContext, isRepeated: boolean): Issue[] {
  const repeated = isRepeated ? [{ path: '', message: 'is defined twice in this request' }] : []
  return definition.ok ? [...repeated, ...checkPlace(definition, context)] : [...definition.issues, ...repeated]
}

/** A stack is of one workspace, and an entity is of one stack. */
function checkPlace({ payload }: Readable, { workspace, stack }: StackContext): Issue[] {
  const { labels } = payload
  const label = isObject(labels) ? labels[stackLabel] : undefined
  const issues: Issue[] = []
  // A template has no workspace of its own, only that of its project.
  const [path, owner] =
    'workspace' in payload ? ['workspace', payload.workspace] : ['project', textOf(payload.project)?.split('.')[0]]
  if (owner !== workspace.fullname) issues.push({ path, message: `must be of the workspace "${workspace.fullname}"` })
  if (label !== undefined && label !== stack)
    issues.push({ path: 'labels.tocsin\\.stack', message: `must be "${stack}" or left out` })
  return issues
}

/** The name of an entity, also of one that is not valid. */
function nameIn({ kind, payload }: Sent): string | undefined {
  return textOf(kind === 'template' || kind === 'subscription' ? payload.key : payload.fullname)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
